BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'echopath','m001_core','2026-11-17 02:35:54.464246+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'echopath','m002_retrieval','2026-11-17 02:35:54.464964+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'echopath','m003_replay_log','2026-11-18 01:55:16.984418+00:00');
CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    event TEXT NOT NULL,
    body TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
INSERT INTO "audit" VALUES(1,'2026-03-01T12:00:00.000000+00:00','m_0000000000000001','added','{"actor":"fixture","because":"recorded","detail":{},"row_sha256":"dca58a4ec8981ecc027aec8e50b72498d5515546041d52a674f4967222620f02","source":null,"target":"candidate","tool_name":"update_phone"}','0000000000000000000000000000000000000000000000000000000000000000','3458e72db7d29b4c16cc1c99ca7f805bdac8bde91c27ed849a9a12e6c84c2052');
INSERT INTO "audit" VALUES(2,'2026-03-01T12:01:00.000000+00:00','m_0000000000000001','promoted','{"actor":"fixture","because":"validated by file_contains","detail":{},"row_sha256":"0e364f8c65071f3869cc1057446971f3e6354273b232c420f4338ae7b30a9562","source":"candidate","target":"active","tool_name":"update_phone"}','3458e72db7d29b4c16cc1c99ca7f805bdac8bde91c27ed849a9a12e6c84c2052','8832cab03f49eb4dfcb7a44fccb9ca74b204634c1b3b29ef81d0307665aad9e3');
INSERT INTO "audit" VALUES(3,'2026-03-01T12:02:00.000000+00:00','m_d530b37a50e0e272','branched','{"actor":"fixture","because":"","detail":{"parents":["m_0000000000000001"]},"row_sha256":"b63df0dc837f85d07776fe0b6944e45f3adc000296f8025b9380933ee62dd21a","source":null,"target":"candidate","tool_name":"update_phone_2"}','8832cab03f49eb4dfcb7a44fccb9ca74b204634c1b3b29ef81d0307665aad9e3','eb79126a0a05ed22a50ada6e215660c90fd95183c44ac548dd84eb098d3ece34');
CREATE TABLE blob_refs (
    memory_id TEXT NOT NULL REFERENCES memories (id),
    sha256 TEXT NOT NULL,
    size INTEGER NOT NULL,
    audit INTEGER NOT NULL,
    PRIMARY KEY (memory_id, sha256)
) STRICT, WITHOUT ROWID;
INSERT INTO "blob_refs" VALUES('m_0000000000000001','161b19bd4772db33f2e4798e6c684354e155904c67c3e93564eab643e6ad4c6d',3548,0);
INSERT INTO "blob_refs" VALUES('m_0000000000000001','a9eb34c251d81ebd998fe2db93dedb92af9c5f9370cabfdb64166cef983db7a3',3548,0);
INSERT INTO "blob_refs" VALUES('m_d530b37a50e0e272','161b19bd4772db33f2e4798e6c684354e155904c67c3e93564eab643e6ad4c6d',3548,0);
INSERT INTO "blob_refs" VALUES('m_d530b37a50e0e272','a9eb34c251d81ebd998fe2db93dedb92af9c5f9370cabfdb64166cef983db7a3',3548,0);
CREATE TABLE lookups (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    goal TEXT NOT NULL,
    selected TEXT,
    report TEXT NOT NULL
) STRICT;
INSERT INTO "lookups" VALUES(1,'2026-03-01T12:06:00.000000+00:00','change the phone number of a client','m_0000000000000001','{"accepted":"m_0000000000000001","application":null,"candidate_count":1,"compatibility":0.9222222222222223,"intent_score":0.8055555555555556,"library_size":1,"matched_phrase":"change the phone number of a client","method":"ranked","ranked":[{"compatibility":0.9222222222222223,"intent_score":0.8055555555555556,"memory_id":"m_0000000000000001","reasons_against":[],"reasons_for":["explains 100% of the request","intent score 0.81","all gates pass, compatibility 0.92"],"score":0.88}],"rejected":[],"scored":1,"searched":["change the phone number of a client"],"selected":"m_0000000000000001","version":1}');
INSERT INTO "lookups" VALUES(2,'2026-03-01T12:07:00.000000+00:00','Write down the new telephone number of Initech',NULL,'{"accepted":null,"application":null,"candidate_count":0,"compatibility":null,"intent_score":null,"library_size":1,"matched_phrase":null,"method":"ranked","ranked":[{"compatibility":0.6600000000000001,"intent_score":0.15000000000000002,"memory_id":"m_0000000000000001","reasons_against":["weak: score 0.31 is below 0.42"],"reasons_for":["explains 31% of the request","intent score 0.15"],"score":0.30723119965208423}],"rejected":[],"scored":1,"searched":["Write down the new telephone number of Initech"],"selected":null,"version":1}');
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
INSERT INTO "memories" VALUES('m_0000000000000001','update_phone','active',1,'620a61dfe5432d12256cb1348010010dcb1c7f26513601d52ad3260fac07cecc','{"applications":["contacts"],"created_at":"2026-03-01T12:00:00Z","expected_effects":[{"kind":"note","text":"the number is saved"}],"id":"m_0000000000000001","inputs":[{"default":"555-0100","description":"the new number","kind":"text","name":"phone","places":[{"action_index":1,"parameter_path":["text"]}]}],"keys":{"query_phrases":["update the phone"],"task_intent":"Change a client''s phone number"},"lineage":{"bundle_sha256":null,"claimed":null,"note":"","origin":"recorded","parents":[],"runs":["run-1"]},"preconditions":[{"active":false,"application":"contacts","kind":"window","present":true,"title_contains":""}],"reasoning":{"blockers":[],"consolidator":"","dropped":[],"not_again":[],"recommendation":"promote","summary":"three steps","viable":true,"warnings":[]},"schema_version":1,"steps":[{"action":{"action":"click","x":40,"y":30},"error":"","evidence":{"after":{"application":"","dialog":false,"image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"anchors":[{"at":"start","blobs":{"core":{"height":24,"media_type":"image/png","sha256":"a9eb34c251d81ebd998fe2db93dedb92af9c5f9370cabfdb64166cef983db7a3","size":3548,"width":48}},"data":{"seed":1},"kind":"crop"}],"before":{"application":"contacts","dialog":false,"image_px":null,"origin_xy":[0,0],"screen_xy":[640,480],"window_title":"Contacts","window_xy":null},"box_px":[20,20,48,24],"changed":null,"closes":false,"end_px":null,"frames":{},"point_px":[40.0,30.0],"weak":""},"expect":"","role":"required","source":{"run_id":"run-1","step_id":0},"succeeded":true,"target":"phone field"},{"action":{"action":"type","text":"555-0100"},"error":"","evidence":{"after":{"application":"","dialog":false,"image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"anchors":[],"before":{"application":"contacts","dialog":false,"image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"box_px":null,"changed":null,"closes":false,"end_px":null,"frames":{},"point_px":null,"weak":""},"expect":"","role":"required","source":{"run_id":"run-1","step_id":1},"succeeded":true,"target":""},{"action":{"action":"click","x":40,"y":30},"error":"","evidence":{"after":{"application":"","dialog":false,"image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"anchors":[{"at":"start","blobs":{"core":{"height":24,"media_type":"image/png","sha256":"161b19bd4772db33f2e4798e6c684354e155904c67c3e93564eab643e6ad4c6d","size":3548,"width":48}},"data":{"seed":1001},"kind":"crop"}],"before":{"application":"contacts","dialog":false,"image_px":null,"origin_xy":[0,0],"screen_xy":[640,480],"window_title":"Contacts","window_xy":null},"box_px":[20,20,48,24],"changed":null,"closes":false,"end_px":null,"frames":{},"point_px":[40.0,30.0],"weak":""},"expect":"","role":"required","source":{"run_id":"run-1","step_id":2},"succeeded":true,"target":"save"}],"validation":{"evaluator":{"kind":"file_contains","path":"c.csv","text":"{phone}"},"verdict":{"after":{"artifact_sha256":null,"at":"2026-03-01T12:00:00Z","detail":"looked for 555-0100","evidence":{},"outcome":"passed"},"attestation":"evaluator","before":{"artifact_sha256":null,"at":"2026-03-01T12:00:00Z","detail":"","evidence":{},"outcome":"failed"},"evaluator":"file_contains"}}}','2026-03-01T12:00:00.000000+00:00','2026-03-01T12:01:00.000000+00:00');
INSERT INTO "memories" VALUES('m_d530b37a50e0e272','update_phone_2','candidate',1,'664bcf14ad9acc997d9c5b0f6949d00ba5fea8202c1a7ce3d077ffd1a6a43e76','{"applications":["contacts"],"created_at":"2026-03-01T12:02:00Z","expected_effects":[{"kind":"note","text":"the number is saved"}],"id":"m_d530b37a50e0e272","inputs":[{"default":"555-0100","description":"the new number","kind":"text","name":"phone","places":[{"action_index":1,"parameter_path":["text"]}]}],"keys":{"query_phrases":["update the phone"],"task_intent":"Change a client''s phone number"},"lineage":{"bundle_sha256":null,"claimed":null,"note":"","origin":"branched","parents":["m_0000000000000001"],"runs":["run-1"]},"preconditions":[{"active":false,"application":"contacts","kind":"window","present":true,"title_contains":""}],"reasoning":{"blockers":[],"consolidator":"","dropped":[],"not_again":[],"recommendation":"promote","summary":"three steps","viable":true,"warnings":[]},"schema_version":1,"steps":[{"action":{"action":"click","x":40,"y":30},"error":"","evidence":{"after":{"application":"","dialog":false,"image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"anchors":[{"at":"start","blobs":{"core":{"height":24,"media_type":"image/png","sha256":"a9eb34c251d81ebd998fe2db93dedb92af9c5f9370cabfdb64166cef983db7a3","size":3548,"width":48}},"data":{"seed":1},"kind":"crop"}],"before":{"application":"contacts","dialog":false,"image_px":null,"origin_xy":[0,0],"screen_xy":[640,480],"window_title":"Contacts","window_xy":null},"box_px":[20,20,48,24],"changed":null,"closes":false,"end_px":null,"frames":{},"point_px":[40.0,30.0],"weak":""},"expect":"","role":"required","source":{"run_id":"run-1","step_id":0},"succeeded":true,"target":"phone field"},{"action":{"action":"type","text":"555-0100"},"error":"","evidence":{"after":{"application":"","dialog":false,"image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"anchors":[],"before":{"application":"contacts","dialog":false,"image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"box_px":null,"changed":null,"closes":false,"end_px":null,"frames":{},"point_px":null,"weak":""},"expect":"","role":"required","source":{"run_id":"run-1","step_id":1},"succeeded":true,"target":""},{"action":{"action":"click","x":40,"y":30},"error":"","evidence":{"after":{"application":"","dialog":false,"image_px":null,"origin_xy":[0,0],"screen_xy":null,"window_title":"","window_xy":null},"anchors":[{"at":"start","blobs":{"core":{"height":24,"media_type":"image/png","sha256":"161b19bd4772db33f2e4798e6c684354e155904c67c3e93564eab643e6ad4c6d","size":3548,"width":48}},"data":{"seed":1001},"kind":"crop"}],"before":{"application":"contacts","dialog":false,"image_px":null,"origin_xy":[0,0],"screen_xy":[640,480],"window_title":"Contacts","window_xy":null},"box_px":[20,20,48,24],"changed":null,"closes":false,"end_px":null,"frames":{},"point_px":[40.0,30.0],"weak":""},"expect":"","role":"required","source":{"run_id":"run-1","step_id":2},"succeeded":true,"target":"save"}],"validation":{"evaluator":{"kind":"file_contains","path":"c.csv","text":"{phone}"},"verdict":{"after":{"artifact_sha256":null,"at":"2026-03-01T12:00:00Z","detail":"looked for 555-0100","evidence":{},"outcome":"passed"},"attestation":"evaluator","before":{"artifact_sha256":null,"at":"2026-03-01T12:00:00Z","detail":"","evidence":{},"outcome":"failed"},"evaluator":"file_contains"}}}','2026-03-01T12:02:00.000000+00:00','2026-03-01T12:02:00.000000+00:00');
CREATE TABLE nodes (
    signature TEXT PRIMARY KEY,
    action TEXT NOT NULL,
    parameters TEXT NOT NULL,
    component TEXT NOT NULL
) STRICT;
INSERT INTO "nodes" VALUES('2409244c3ce868c8c026dce0514130bd7670d812aff0220494f2892bd0cd0f45','click','{}','words:contacts:phone');
INSERT INTO "nodes" VALUES('6de6ba47b27796a66b697c14b9252d46577486cdf95be72db003db6ea06ff643','type','{"text":"{text}"}','none:contacts');
INSERT INTO "nodes" VALUES('d90eee839b0fa455045456ff37a8af965b4d4cd51ef81ce47ade7547f75b77dd','click','{}','words:contacts:save');
CREATE TABLE parents (
    memory_id TEXT NOT NULL REFERENCES memories (id),
    parent_id TEXT NOT NULL,
    PRIMARY KEY (memory_id, parent_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "parents" VALUES('m_d530b37a50e0e272','m_0000000000000001');
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
INSERT INTO "program" VALUES('m_0000000000000001',2,'d90eee839b0fa455045456ff37a8af965b4d4cd51ef81ce47ade7547f75b77dd','6de6ba47b27796a66b697c14b9252d46577486cdf95be72db003db6ea06ff643','run-1',2);
INSERT INTO "program" VALUES('m_d530b37a50e0e272',0,'2409244c3ce868c8c026dce0514130bd7670d812aff0220494f2892bd0cd0f45',NULL,'run-1',0);
INSERT INTO "program" VALUES('m_d530b37a50e0e272',1,'6de6ba47b27796a66b697c14b9252d46577486cdf95be72db003db6ea06ff643','2409244c3ce868c8c026dce0514130bd7670d812aff0220494f2892bd0cd0f45','run-1',1);
INSERT INTO "program" VALUES('m_d530b37a50e0e272',2,'d90eee839b0fa455045456ff37a8af965b4d4cd51ef81ce47ade7547f75b77dd','6de6ba47b27796a66b697c14b9252d46577486cdf95be72db003db6ea06ff643','run-1',2);
CREATE TABLE replay_log (
    seq INTEGER PRIMARY KEY,
    replay_id TEXT NOT NULL,
    row_sha256 TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
INSERT INTO "replay_log" VALUES(1,'replay-0001','e3e2d6f96175051bf19b2eb9eea0d11e4d9acdf7b1bb7dfc5b3032ca6a8ce207','0000000000000000000000000000000000000000000000000000000000000000','a7587a06ebfdfb9ca7c28f9fc3912fff42c99a377205cd7b79963cdb0f651d7c');
INSERT INTO "replay_log" VALUES(2,'replay-0002','a01605e2b6de4f44429f806bd83848724e6f162121cef0c3493998f2d7cf953d','a7587a06ebfdfb9ca7c28f9fc3912fff42c99a377205cd7b79963cdb0f651d7c','5dc3e95b7a5a9b3d2f08a3396c67d53e7f0c97cdd8635dd56793a27725a1aad6');
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
INSERT INTO "replays" VALUES('replay-0002','m_0000000000000001','stopped','missing_target','2026-03-01T12:03:00.000000+00:00','2026-03-01T12:03:30.000000+00:00',3,0,0,'{}');
CREATE TABLE retrieval_documents (doc INTEGER PRIMARY KEY AUTOINCREMENT, memory_id TEXT NOT NULL UNIQUE, active INTEGER NOT NULL, applications TEXT NOT NULL, revision INTEGER NOT NULL, body TEXT NOT NULL);
INSERT INTO "retrieval_documents" VALUES(1,'m_0000000000000001',1,'contacts',0,'["Change a client''s phone number",["change\u001fchang\u001f\tcustomer\u001fclient\u001f\tphone\u001fphon number\u001f","update\u001fupdat\u001f\tphone\u001fphon\u001f"],"3\u001f3\u001fv\tstep\taddress_book\u001fcontact\u001f\tnumber\tsave\u001fsav\u001ft\taddress_book\u001fcontact\u001f",["contacts"],[],[["phone","text","555-0100"]],["active","desktop",true,true],[["click","type"],[]],["change client s phone number","change phone","change client s phone number change phone contacts three steps contacts number save"]]');
CREATE TABLE retrieval_meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "retrieval_meta" VALUES('documents',1);
INSERT INTO "retrieval_meta" VALUES('format',7);
INSERT INTO "retrieval_meta" VALUES('revision',1);
CREATE TABLE retrieval_postings (term INTEGER NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY (term, doc)) WITHOUT ROWID;
INSERT INTO "retrieval_postings" VALUES(1,1);
INSERT INTO "retrieval_postings" VALUES(2,1);
INSERT INTO "retrieval_postings" VALUES(3,1);
INSERT INTO "retrieval_postings" VALUES(4,1);
INSERT INTO "retrieval_postings" VALUES(5,1);
INSERT INTO "retrieval_postings" VALUES(6,1);
INSERT INTO "retrieval_postings" VALUES(7,1);
INSERT INTO "retrieval_postings" VALUES(8,1);
INSERT INTO "retrieval_postings" VALUES(9,1);
INSERT INTO "retrieval_postings" VALUES(10,1);
INSERT INTO "retrieval_postings" VALUES(11,1);
INSERT INTO "retrieval_postings" VALUES(12,1);
INSERT INTO "retrieval_postings" VALUES(13,1);
INSERT INTO "retrieval_postings" VALUES(14,1);
INSERT INTO "retrieval_postings" VALUES(15,1);
CREATE TABLE retrieval_spellings (key TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (key, text)) WITHOUT ROWID;
INSERT INTO "retrieval_spellings" VALUES('ave','save');
INSERT INTO "retrieval_spellings" VALUES('cang','chang');
INSERT INTO "retrieval_spellings" VALUES('cange','change');
INSERT INTO "retrieval_spellings" VALUES('chag','chang');
INSERT INTO "retrieval_spellings" VALUES('chage','change');
INSERT INTO "retrieval_spellings" VALUES('chan','chang');
INSERT INTO "retrieval_spellings" VALUES('chane','change');
INSERT INTO "retrieval_spellings" VALUES('chang','chang');
INSERT INTO "retrieval_spellings" VALUES('chang','change');
INSERT INTO "retrieval_spellings" VALUES('change','change');
INSERT INTO "retrieval_spellings" VALUES('chng','chang');
INSERT INTO "retrieval_spellings" VALUES('chnge','change');
INSERT INTO "retrieval_spellings" VALUES('cient','client');
INSERT INTO "retrieval_spellings" VALUES('clent','client');
INSERT INTO "retrieval_spellings" VALUES('clien','client');
INSERT INTO "retrieval_spellings" VALUES('client','client');
INSERT INTO "retrieval_spellings" VALUES('cliet','client');
INSERT INTO "retrieval_spellings" VALUES('clint','client');
INSERT INTO "retrieval_spellings" VALUES('cntact','contact');
INSERT INTO "retrieval_spellings" VALUES('conact','contact');
INSERT INTO "retrieval_spellings" VALUES('contac','contact');
INSERT INTO "retrieval_spellings" VALUES('contact','contact');
INSERT INTO "retrieval_spellings" VALUES('contat','contact');
INSERT INTO "retrieval_spellings" VALUES('contct','contact');
INSERT INTO "retrieval_spellings" VALUES('cotact','contact');
INSERT INTO "retrieval_spellings" VALUES('cstomer','customer');
INSERT INTO "retrieval_spellings" VALUES('cusomer','customer');
INSERT INTO "retrieval_spellings" VALUES('custmer','customer');
INSERT INTO "retrieval_spellings" VALUES('custoer','customer');
INSERT INTO "retrieval_spellings" VALUES('custome','customer');
INSERT INTO "retrieval_spellings" VALUES('customer','customer');
INSERT INTO "retrieval_spellings" VALUES('customr','customer');
INSERT INTO "retrieval_spellings" VALUES('cutomer','customer');
INSERT INTO "retrieval_spellings" VALUES('hang','chang');
INSERT INTO "retrieval_spellings" VALUES('hange','change');
INSERT INTO "retrieval_spellings" VALUES('hon','phon');
INSERT INTO "retrieval_spellings" VALUES('hone','phone');
INSERT INTO "retrieval_spellings" VALUES('lient','client');
INSERT INTO "retrieval_spellings" VALUES('nmber','number');
INSERT INTO "retrieval_spellings" VALUES('nuber','number');
INSERT INTO "retrieval_spellings" VALUES('numbe','number');
INSERT INTO "retrieval_spellings" VALUES('number','number');
INSERT INTO "retrieval_spellings" VALUES('numbr','number');
INSERT INTO "retrieval_spellings" VALUES('numer','number');
INSERT INTO "retrieval_spellings" VALUES('ontact','contact');
INSERT INTO "retrieval_spellings" VALUES('pdat','updat');
INSERT INTO "retrieval_spellings" VALUES('pdate','update');
INSERT INTO "retrieval_spellings" VALUES('phn','phon');
INSERT INTO "retrieval_spellings" VALUES('phne','phone');
INSERT INTO "retrieval_spellings" VALUES('pho','phon');
INSERT INTO "retrieval_spellings" VALUES('phoe','phone');
INSERT INTO "retrieval_spellings" VALUES('phon','phon');
INSERT INTO "retrieval_spellings" VALUES('phon','phone');
INSERT INTO "retrieval_spellings" VALUES('phone','phone');
INSERT INTO "retrieval_spellings" VALUES('pon','phon');
INSERT INTO "retrieval_spellings" VALUES('pone','phone');
INSERT INTO "retrieval_spellings" VALUES('sae','save');
INSERT INTO "retrieval_spellings" VALUES('sav','save');
INSERT INTO "retrieval_spellings" VALUES('save','save');
INSERT INTO "retrieval_spellings" VALUES('sep','step');
INSERT INTO "retrieval_spellings" VALUES('ste','step');
INSERT INTO "retrieval_spellings" VALUES('step','step');
INSERT INTO "retrieval_spellings" VALUES('stp','step');
INSERT INTO "retrieval_spellings" VALUES('sve','save');
INSERT INTO "retrieval_spellings" VALUES('tep','step');
INSERT INTO "retrieval_spellings" VALUES('udat','updat');
INSERT INTO "retrieval_spellings" VALUES('udate','update');
INSERT INTO "retrieval_spellings" VALUES('umber','number');
INSERT INTO "retrieval_spellings" VALUES('upat','updat');
INSERT INTO "retrieval_spellings" VALUES('upate','update');
INSERT INTO "retrieval_spellings" VALUES('upda','updat');
INSERT INTO "retrieval_spellings" VALUES('updae','update');
INSERT INTO "retrieval_spellings" VALUES('updat','updat');
INSERT INTO "retrieval_spellings" VALUES('updat','update');
INSERT INTO "retrieval_spellings" VALUES('update','update');
INSERT INTO "retrieval_spellings" VALUES('updt','updat');
INSERT INTO "retrieval_spellings" VALUES('updte','update');
INSERT INTO "retrieval_spellings" VALUES('ustomer','customer');
CREATE TABLE retrieval_terms (term INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, uses INTEGER NOT NULL);
INSERT INTO "retrieval_terms" VALUES(1,'3',1);
INSERT INTO "retrieval_terms" VALUES(2,'address_book',1);
INSERT INTO "retrieval_terms" VALUES(3,'chang',1);
INSERT INTO "retrieval_terms" VALUES(4,'change',1);
INSERT INTO "retrieval_terms" VALUES(5,'client',1);
INSERT INTO "retrieval_terms" VALUES(6,'contact',1);
INSERT INTO "retrieval_terms" VALUES(7,'customer',1);
INSERT INTO "retrieval_terms" VALUES(8,'number',1);
INSERT INTO "retrieval_terms" VALUES(9,'phon',1);
INSERT INTO "retrieval_terms" VALUES(10,'phone',1);
INSERT INTO "retrieval_terms" VALUES(11,'sav',1);
INSERT INTO "retrieval_terms" VALUES(12,'save',1);
INSERT INTO "retrieval_terms" VALUES(13,'step',1);
INSERT INTO "retrieval_terms" VALUES(14,'updat',1);
INSERT INTO "retrieval_terms" VALUES(15,'update',1);
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
CREATE TRIGGER replay_log_is_append_only_update BEFORE UPDATE ON replay_log
    BEGIN SELECT RAISE(ABORT, 'the replay log is append-only'); END;
CREATE TRIGGER replay_log_is_append_only_delete BEFORE DELETE ON replay_log
    BEGIN SELECT RAISE(ABORT, 'the replay log is append-only'); END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('retrieval_documents',1);
COMMIT;
