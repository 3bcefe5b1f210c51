CREATE TABLE `trait_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file_rid` integer NOT NULL
) STRICT;
--> statement-breakpoint
DROP TRIGGER `files_changes_update`;
--> statement-breakpoint
CREATE TRIGGER `files_changes_update` AFTER UPDATE OF `content_datetime`, `content_offset`, `creator_id`, `is_public`, `is_deleted` ON `files` BEGIN
	INSERT INTO file_changes(file_rid) VALUES (new.rid);
END;
--> statement-breakpoint
CREATE TRIGGER `trait_changes_last` AFTER INSERT ON `trait_changes` WHEN new.seq % 1024 = 0 BEGIN
	DELETE FROM trait_changes WHERE seq <= new.seq - 8192;
END;
--> statement-breakpoint
CREATE TRIGGER `files_traits_insert` AFTER INSERT ON `files` BEGIN
	INSERT INTO trait_changes(file_rid) VALUES (new.rid);
END;
--> statement-breakpoint
CREATE TRIGGER `files_traits_update` AFTER UPDATE OF `mime_type`, `needs_review` ON `files` BEGIN
	INSERT INTO trait_changes(file_rid) VALUES (new.rid);
END;
--> statement-breakpoint
CREATE TRIGGER `files_traits_delete` AFTER DELETE ON `files` BEGIN
	INSERT INTO trait_changes(file_rid) VALUES (old.rid);
END;
