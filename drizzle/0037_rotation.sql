ALTER TABLE `file_details` ADD COLUMN `rotation` integer DEFAULT 0 NOT NULL CONSTRAINT "file_details_rotation_known" CHECK(rotation IN (0, 90, 180, 270));--> statement-breakpoint
DROP INDEX `file_details_told`;--> statement-breakpoint
CREATE INDEX `file_details_told` ON `file_details` (`file_rid`) WHERE notes IS NOT NULL OR metadata IS NOT NULL OR rotation <> 0;--> statement-breakpoint
DROP TRIGGER `file_details_proposals_update`;--> statement-breakpoint
CREATE TRIGGER `file_details_proposals_update` AFTER UPDATE OF `notes`, `metadata`, `exif`, `rotation` ON `file_details` WHEN old.notes IS NOT new.notes OR old.metadata IS NOT new.metadata OR old.exif <> new.exif OR old.rotation <> new.rotation BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'proposals';
END;
