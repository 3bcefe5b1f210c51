CREATE TRIGGER `files_changes_type` AFTER UPDATE OF `mime_type` ON `files` WHEN old.mime_type <> new.mime_type BEGIN
	INSERT INTO file_changes(file_rid) VALUES (new.rid);
END;
