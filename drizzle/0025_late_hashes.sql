ALTER TABLE `duplicate_scans` ADD `late_hashes` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `library` ADD `late_hashes` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `files_late_hash` AFTER UPDATE OF `phash` ON `files` WHEN new.phash IS NOT NULL AND old.phash IS NOT new.phash BEGIN
	UPDATE library SET late_hashes = late_hashes + 1;
END;
