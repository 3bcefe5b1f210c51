DROP TRIGGER `files_changes_update`;
--> statement-breakpoint
CREATE TRIGGER `files_changes_update` AFTER UPDATE OF `content_datetime`, `content_offset`, `creator_id`, `is_public`, `is_deleted`, `mime_type`, `needs_review` ON `files` BEGIN
	INSERT INTO file_changes(file_rid) VALUES (new.rid);
END;
