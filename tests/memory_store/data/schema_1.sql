BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'echopath','m001_core','2026-11-16 12:51:17.133059+00:00');
CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    event TEXT NOT NULL,
    body TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
INSERT INTO "audit" VALUES(1,'2026-03-01T12:00:00.000000+00:00','m_0000000000000001','added','{"actor":"fixture","because":"recorded","detail":{},"row_sha256":"220bece969dcf165facb9a0193661d6468a1dfb5312bbe1ddc7da522399dfec9","source":null,"target":"candidate","tool_name":"update_phone"}','0000000000000000000000000000000000000000000000000000000000000000','bfaf68af19ed3edd65442aab19b7b007aa2e7aa7d356b6385c4d15a3755f7ca1');
INSERT INTO "audit" VALUES(2,'2026-03-01T12:01:00.000000+00:00','m_0000000000000001','promoted','{"actor":"fixture","because":"validated by file_contains","detail":{},"row_sha256":"137be196d785c0fd38448e98e8eec1e953793c3ad747850e5a50ef8eaf6c9fc4","source":"candidate","target":"active","tool_name":"update_phone"}','bfaf68af19ed3edd65442aab19b7b007aa2e7aa7d356b6385c4d15a3755f7ca1','1ad83b748f20a0fd05c4e6e5c14ff9712a25b9010c4912af220990189133f90e');
INSERT INTO "audit" VALUES(3,'2026-03-01T12:02:00.000000+00:00','m_6d8e153bb565d7da','branched','{"actor":"fixture","because":"","detail":{"parents":["m_0000000000000001"]},"row_sha256":"f2d920c742637d6214bb67b02aa66c5f0e94d4915ec839ed46de9b3750658ffd","source":null,"target":"candidate","tool_name":"branch"}','1ad83b748f20a0fd05c4e6e5c14ff9712a25b9010c4912af220990189133f90e','e069b7648cdb3e54d35a4c3fd299d02ffd78eece211e1d127dcb5ab8246ec358');
CREATE TABLE blob_refs (
    memory_id TEXT NOT NULL REFERENCES memories (id),
    sha256 TEXT NOT NULL,
    size INTEGER NOT NULL,
    audit INTEGER NOT NULL,
    PRIMARY KEY (memory_id, sha256)
) STRICT, WITHOUT ROWID;
INSERT INTO "blob_refs" VALUES('m_0000000000000001','a9eb34c251d81ebd998fe2db93dedb92af9c5f9370cabfdb64166cef983db7a3',3548,0);
INSERT INTO "blob_refs" VALUES('m_6d8e153bb565d7da','a9eb34c251d81ebd998fe2db93dedb92af9c5f9370cabfdb64166cef983db7a3',3548,0);
CREATE TABLE lookups (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    goal TEXT NOT NULL,
    selected TEXT,
    report TEXT NOT NULL
) STRICT;
CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    tool_name TEXT NOT NULL UNIQUE,
    lifecycle TEXT NOT NULL,
    schema_version INTEGER NOT NULL,
    content_sha256 TEXT NOT NULL,
    document TEXT NOT NULL,
    created_at TEXT NOT NULL,
    changed_at TEXT NOT NULL
) STRICT;
INSERT INTO "memories" VALUES('m_0000000000000001','update_phone','active',1,'adb6db2285cc76b3bccaf0f8aefd954a73e75e6694402d94111a68165b87c2e8','{"applications":["contacts"],"created_at":"2026-03-01T12:00:00Z","expected_effects":[{"kind":"note","text":"the number is saved"}],"id":"m_0000000000000001","inputs":[{"default":"555-0100","description":"the new number","kind":"text","name":"phone","places":[{"action_index":1,"parameter_path":["text"]}]}],"keys":{"query_phrases":["update the phone"],"task_intent":"Change a client''s phone number"},"lineage":{"bundle_sha256":null,"claimed":null,"note":"","origin":"recorded","parents":[],"runs":["run-1"]},"preconditions":[{"active":false,"application":"contacts","kind":"window","present":true,"title_contains":""}],"reasoning":{"blockers":[],"consolidator":"","dropped":[],"recommendation":"promote","summary":"three steps","viable":true,"warnings":[]},"schema_version":1,"steps":[{"action":{"action":"click","x":40,"y":30},"error":"","evidence":{"after":{"application":"","image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"anchors":[{"at":"start","blobs":{"core":{"height":24,"media_type":"image/png","sha256":"a9eb34c251d81ebd998fe2db93dedb92af9c5f9370cabfdb64166cef983db7a3","size":3548,"width":48}},"data":{"seed":1},"kind":"crop"}],"before":{"application":"contacts","image_px":null,"origin_xy":[0,0],"screen_xy":[640,480],"window_title":"Contacts","window_xy":null},"box_px":[20,20,48,24],"changed":null,"end_px":null,"frames":{},"point_px":[40.0,30.0],"weak":""},"expect":"","role":"required","source":{"run_id":"run-1","step_id":0},"succeeded":true,"target":"phone field"},{"action":{"action":"type","text":"555-0100"},"error":"","evidence":{"after":{"application":"","image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"anchors":[],"before":{"application":"contacts","image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"box_px":null,"changed":null,"end_px":null,"frames":{},"point_px":null,"weak":""},"expect":"","role":"required","source":{"run_id":"run-1","step_id":1},"succeeded":true,"target":""},{"action":{"action":"hotkey","keys":["ctrl","s"]},"error":"","evidence":{"after":{"application":"","image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"anchors":[],"before":{"application":"contacts","image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"box_px":null,"changed":null,"end_px":null,"frames":{},"point_px":null,"weak":""},"expect":"","role":"required","source":{"run_id":"run-1","step_id":2},"succeeded":true,"target":""}],"validation":{"evaluator":{"kind":"file_contains","path":"c.csv","text":"{phone}"},"verdict":{"after":{"artifact_sha256":null,"at":"2026-03-01T12:00:00Z","detail":"looked for 555-0100","evidence":{},"outcome":"passed"},"attestation":"evaluator","before":{"artifact_sha256":null,"at":"2026-03-01T12:00:00Z","detail":"","evidence":{},"outcome":"failed"},"evaluator":"file_contains"}}}','2026-03-01T12:00:00.000000+00:00','2026-03-01T12:01:00.000000+00:00');
INSERT INTO "memories" VALUES('m_6d8e153bb565d7da','branch','candidate',1,'a3b41afec70603a8af951c7e1daef174d8e0cbb7ce829a2302799332518183d3','{"applications":["contacts"],"created_at":"2026-03-01T12:02:00Z","expected_effects":[{"kind":"note","text":"the number is saved"}],"id":"m_6d8e153bb565d7da","inputs":[{"default":"555-0100","description":"the new number","kind":"text","name":"phone","places":[{"action_index":1,"parameter_path":["text"]}]}],"keys":{"query_phrases":["update the phone"],"task_intent":"Change a client''s phone number"},"lineage":{"bundle_sha256":null,"claimed":null,"note":"","origin":"branched","parents":["m_0000000000000001"],"runs":["run-1"]},"preconditions":[{"active":false,"application":"contacts","kind":"window","present":true,"title_contains":""}],"reasoning":{"blockers":[],"consolidator":"","dropped":[],"recommendation":"promote","summary":"three steps","viable":true,"warnings":[]},"schema_version":1,"steps":[{"action":{"action":"click","x":40,"y":30},"error":"","evidence":{"after":{"application":"","image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"anchors":[{"at":"start","blobs":{"core":{"height":24,"media_type":"image/png","sha256":"a9eb34c251d81ebd998fe2db93dedb92af9c5f9370cabfdb64166cef983db7a3","size":3548,"width":48}},"data":{"seed":1},"kind":"crop"}],"before":{"application":"contacts","image_px":null,"origin_xy":[0,0],"screen_xy":[640,480],"window_title":"Contacts","window_xy":null},"box_px":[20,20,48,24],"changed":null,"end_px":null,"frames":{},"point_px":[40.0,30.0],"weak":""},"expect":"","role":"required","source":{"run_id":"run-1","step_id":0},"succeeded":true,"target":"phone field"},{"action":{"action":"type","text":"555-0100"},"error":"","evidence":{"after":{"application":"","image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"anchors":[],"before":{"application":"contacts","image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"box_px":null,"changed":null,"end_px":null,"frames":{},"point_px":null,"weak":""},"expect":"","role":"required","source":{"run_id":"run-1","step_id":1},"succeeded":true,"target":""},{"action":{"action":"hotkey","keys":["ctrl","s"]},"error":"","evidence":{"after":{"application":"","image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"anchors":[],"before":{"application":"contacts","image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"box_px":null,"changed":null,"end_px":null,"frames":{},"point_px":null,"weak":""},"expect":"","role":"required","source":{"run_id":"run-1","step_id":2},"succeeded":true,"target":""}],"validation":{"evaluator":{"kind":"file_contains","path":"c.csv","text":"{phone}"},"verdict":{"after":{"artifact_sha256":null,"at":"2026-03-01T12:00:00Z","detail":"looked for 555-0100","evidence":{},"outcome":"passed"},"attestation":"evaluator","before":{"artifact_sha256":null,"at":"2026-03-01T12:00:00Z","detail":"","evidence":{},"outcome":"failed"},"evaluator":"file_contains"}}}','2026-03-01T12:02:00.000000+00:00','2026-03-01T12:02:00.000000+00:00');
CREATE TABLE nodes (
    signature TEXT PRIMARY KEY,
    action TEXT NOT NULL,
    parameters TEXT NOT NULL,
    component TEXT NOT NULL
) STRICT;
INSERT INTO "nodes" VALUES('2409244c3ce868c8c026dce0514130bd7670d812aff0220494f2892bd0cd0f45','click','{}','words:contacts:phone');
INSERT INTO "nodes" VALUES('6de6ba47b27796a66b697c14b9252d46577486cdf95be72db003db6ea06ff643','type','{"text":"{text}"}','none:contacts');
INSERT INTO "nodes" VALUES('ef4bf3d981ffa9a5a36e6796cb04a0c9468fe852a8eb1506ba3e7eebe7bea3e0','hotkey','{"keys":["ctrl","s"]}','none:contacts');
CREATE TABLE parents (
    memory_id TEXT NOT NULL REFERENCES memories (id),
    parent_id TEXT NOT NULL,
    PRIMARY KEY (memory_id, parent_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "parents" VALUES('m_6d8e153bb565d7da','m_0000000000000001');
CREATE TABLE program (
    memory_id TEXT NOT NULL REFERENCES memories (id),
    position INTEGER NOT NULL,
    signature TEXT NOT NULL REFERENCES nodes (signature),
    parent TEXT,
    run_id TEXT,
    step_id INTEGER,
    PRIMARY KEY (memory_id, position)
) STRICT, WITHOUT ROWID;
INSERT INTO "program" VALUES('m_0000000000000001',0,'2409244c3ce868c8c026dce0514130bd7670d812aff0220494f2892bd0cd0f45',NULL,'run-1',0);
INSERT INTO "program" VALUES('m_0000000000000001',1,'6de6ba47b27796a66b697c14b9252d46577486cdf95be72db003db6ea06ff643','2409244c3ce868c8c026dce0514130bd7670d812aff0220494f2892bd0cd0f45','run-1',1);
INSERT INTO "program" VALUES('m_0000000000000001',2,'ef4bf3d981ffa9a5a36e6796cb04a0c9468fe852a8eb1506ba3e7eebe7bea3e0','6de6ba47b27796a66b697c14b9252d46577486cdf95be72db003db6ea06ff643','run-1',2);
INSERT INTO "program" VALUES('m_6d8e153bb565d7da',0,'2409244c3ce868c8c026dce0514130bd7670d812aff0220494f2892bd0cd0f45',NULL,'run-1',0);
INSERT INTO "program" VALUES('m_6d8e153bb565d7da',1,'6de6ba47b27796a66b697c14b9252d46577486cdf95be72db003db6ea06ff643','2409244c3ce868c8c026dce0514130bd7670d812aff0220494f2892bd0cd0f45','run-1',1);
INSERT INTO "program" VALUES('m_6d8e153bb565d7da',2,'ef4bf3d981ffa9a5a36e6796cb04a0c9468fe852a8eb1506ba3e7eebe7bea3e0','6de6ba47b27796a66b697c14b9252d46577486cdf95be72db003db6ea06ff643','run-1',2);
CREATE TABLE replays (
    id TEXT PRIMARY KEY,
    memory_id TEXT NOT NULL,
    ending TEXT NOT NULL,
    cause TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    events_sent INTEGER NOT NULL,
    steps_done INTEGER NOT NULL,
    host_tokens INTEGER NOT NULL,
    detail TEXT NOT NULL
) STRICT;
INSERT INTO "replays" VALUES('replay-0001','m_0000000000000001','verified','','2026-03-01T12:02:00.000000+00:00','2026-03-01T12:02:30.000000+00:00',3,0,0,'{}');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX memories_by_lifecycle ON memories (lifecycle, created_at);
CREATE INDEX program_by_signature ON program (signature);
CREATE INDEX program_by_parent ON program (parent);
CREATE VIEW child_links AS
    SELECT parent, signature AS child, count(DISTINCT memory_id) AS memories
    FROM program GROUP BY parent, signature;
CREATE VIEW node_reuse AS
    SELECT signature, count(DISTINCT memory_id) AS memories FROM program GROUP BY signature;
CREATE INDEX blob_refs_by_sha256 ON blob_refs (sha256);
CREATE INDEX audit_by_memory ON audit (memory_id, seq);
CREATE TRIGGER audit_is_append_only_update BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_is_append_only_delete BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE INDEX replays_by_memory ON replays (memory_id, started_at);
COMMIT;
