CREATE INDEX `file_details_sha256` ON `file_details` (`sha256`);--> statement-breakpoint
CREATE INDEX `file_details_told` ON `file_details` (`file_rid`) WHERE notes IS NOT NULL OR metadata IS NOT NULL;--> statement-breakpoint
CREATE INDEX `files_given` ON `files` (`rid`) WHERE date_source = 'given';
--> statement-breakpoint
INSERT INTO `cache_versions` (`name`, `version`) VALUES ('contents', 0), ('proposals', 0);
--> statement-breakpoint
CREATE TRIGGER `file_details_contents_insert` AFTER INSERT ON `file_details` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'contents';
END;
--> statement-breakpoint
CREATE TRIGGER `file_details_contents_update` AFTER UPDATE OF `sha256` ON `file_details` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'contents';
END;
--> statement-breakpoint
CREATE TRIGGER `file_details_contents_delete` AFTER DELETE ON `file_details` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'contents';
END;
--> statement-breakpoint
CREATE TRIGGER `files_contents_update` AFTER UPDATE OF `creator_id` ON `files` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'contents';
END;
--> statement-breakpoint
CREATE TRIGGER `files_proposals_update` AFTER UPDATE OF `date_source`, `mime_type` ON `files` WHEN old.date_source IS NOT new.date_source OR old.mime_type <> new.mime_type BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'proposals';
END;
--> statement-breakpoint
CREATE TRIGGER `file_details_proposals_update` AFTER UPDATE OF `notes`, `metadata`, `exif` ON `file_details` WHEN old.notes IS NOT new.notes OR old.metadata IS NOT new.metadata OR old.exif <> new.exif BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'proposals';
END;
--> statement-breakpoint
CREATE TRIGGER `finer_hashes_proposals_insert` AFTER INSERT ON `finer_hashes` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'proposals';
END;
--> statement-breakpoint
CREATE TRIGGER `finer_hashes_proposals_update` AFTER UPDATE ON `finer_hashes` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'proposals';
END;
--> statement-breakpoint
CREATE TRIGGER `finer_hashes_proposals_delete` AFTER DELETE ON `finer_hashes` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'proposals';
END;
