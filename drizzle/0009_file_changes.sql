CREATE TABLE `file_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file_rid` integer NOT NULL
) STRICT;
--> statement-breakpoint
DROP INDEX `files_content_datetime`;--> statement-breakpoint
CREATE INDEX `files_content_datetime` ON `files` (`is_deleted`,`content_datetime`,`id`,`creator_id`,`is_public`,`content_offset`);
--> statement-breakpoint
CREATE TRIGGER `file_changes_last` AFTER INSERT ON `file_changes` WHEN new.seq % 1024 = 0 BEGIN
	DELETE FROM file_changes WHERE seq <= new.seq - 8192;
END;
--> statement-breakpoint
CREATE TRIGGER `files_changes_insert` AFTER INSERT ON `files` BEGIN
	INSERT INTO file_changes(file_rid) VALUES (new.rid);
END;
--> statement-breakpoint
CREATE TRIGGER `files_changes_update` AFTER UPDATE OF `content_datetime`, `content_offset`, `creator_id`, `is_public`, `is_deleted` ON `files` BEGIN
	INSERT INTO file_changes(file_rid) VALUES (new.rid);
END;
--> statement-breakpoint
CREATE TRIGGER `files_changes_delete` AFTER DELETE ON `files` BEGIN
	INSERT INTO file_changes(file_rid) VALUES (old.rid);
END;
--> statement-breakpoint
CREATE TRIGGER `acl_changes_insert` AFTER INSERT ON `acl` WHEN new.object_type = 'file' BEGIN
	INSERT INTO file_changes(file_rid) VALUES (new.object_rid);
END;
--> statement-breakpoint
CREATE TRIGGER `acl_changes_update` AFTER UPDATE ON `acl` WHEN new.object_type = 'file' BEGIN
	INSERT INTO file_changes(file_rid) VALUES (new.object_rid);
END;
--> statement-breakpoint
CREATE TRIGGER `acl_changes_delete` AFTER DELETE ON `acl` WHEN old.object_type = 'file' BEGIN
	INSERT INTO file_changes(file_rid) VALUES (old.object_rid);
END;
--> statement-breakpoint
CREATE TRIGGER `file_looks_changes_insert` AFTER INSERT ON `file_looks` BEGIN
	INSERT INTO file_changes(file_rid) VALUES (new.file_rid);
END;
--> statement-breakpoint
CREATE TRIGGER `file_looks_changes_update` AFTER UPDATE OF `width`, `height` ON `file_looks` BEGIN
	INSERT INTO file_changes(file_rid) VALUES (new.file_rid);
END;
--> statement-breakpoint
CREATE TRIGGER `file_looks_changes_delete` AFTER DELETE ON `file_looks` BEGIN
	INSERT INTO file_changes(file_rid) VALUES (old.file_rid);
END;
