CREATE TRIGGER `files_changes_name` AFTER UPDATE OF `name_key` ON `files` WHEN old.name_key <> new.name_key BEGIN
	INSERT INTO file_changes(file_rid) VALUES (new.rid);
END;
