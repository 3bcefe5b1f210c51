DROP TRIGGER `acl_changes_insert`;
--> statement-breakpoint
DROP TRIGGER `acl_changes_update`;
--> statement-breakpoint
DROP TRIGGER `acl_changes_delete`;
--> statement-breakpoint
DROP TRIGGER `file_looks_changes_insert`;
--> statement-breakpoint
DROP TRIGGER `file_looks_changes_update`;
--> statement-breakpoint
DROP TRIGGER `file_looks_changes_delete`;
--> statement-breakpoint
DROP TRIGGER `files_changes_insert`;
--> statement-breakpoint
DROP TRIGGER `files_changes_update`;
--> statement-breakpoint
DROP TRIGGER `files_changes_name`;
--> statement-breakpoint
DROP TRIGGER `files_changes_type`;
--> statement-breakpoint
DROP TRIGGER `files_changes_delete`;
--> statement-breakpoint
DROP TRIGGER `files_traits_insert`;
--> statement-breakpoint
DROP TRIGGER `files_traits_update`;
--> statement-breakpoint
DROP TRIGGER `files_traits_delete`;
--> statement-breakpoint
DROP TRIGGER `file_changes_last`;
--> statement-breakpoint
DROP TRIGGER `trait_changes_last`;
--> statement-breakpoint
DROP TRIGGER `pool_files_version_insert`;
--> statement-breakpoint
DROP TRIGGER `pool_files_version_delete`;
--> statement-breakpoint
DROP TRIGGER `files_proposals_update`;
--> statement-breakpoint
DROP TABLE `file_changes`;
--> statement-breakpoint
DROP TABLE `trait_changes`;
--> statement-breakpoint
DELETE FROM `cache_versions` WHERE `name` = 'pool_files';
--> statement-breakpoint
CREATE TRIGGER `files_proposals_update` AFTER UPDATE OF `date_source`, `mime_type`, `content_datetime`, `content_offset`, `is_deleted` ON `files` WHEN old.date_source IS NOT new.date_source OR old.mime_type IS NOT new.mime_type OR old.content_datetime IS NOT new.content_datetime OR old.content_offset IS NOT new.content_offset OR old.is_deleted IS NOT new.is_deleted BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'proposals';
END;
--> statement-breakpoint
CREATE TRIGGER `file_looks_proposals_insert` AFTER INSERT ON `file_looks` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'proposals';
END;
--> statement-breakpoint
CREATE TRIGGER `file_looks_proposals_update` AFTER UPDATE OF `width`, `height`, `duration` ON `file_looks` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'proposals';
END;
--> statement-breakpoint
DROP TRIGGER `file_tags_insert`;
--> statement-breakpoint
DROP TRIGGER `file_tags_delete`;
--> statement-breakpoint
ALTER TABLE `tags` DROP COLUMN `files_version`;
--> statement-breakpoint
CREATE TRIGGER `file_tags_insert` AFTER INSERT ON `file_tags` WHEN NOT EXISTS (SELECT 1 FROM set_counting) BEGIN
	UPDATE files SET tag_count = tag_count + 1 WHERE rid = new.file_rid;
	UPDATE tags SET file_count = file_count + 1 WHERE rid = new.tag_rid;
END;
--> statement-breakpoint
CREATE TRIGGER `file_tags_delete` AFTER DELETE ON `file_tags` WHEN NOT EXISTS (SELECT 1 FROM set_counting) BEGIN
	UPDATE files SET tag_count = tag_count - 1 WHERE rid = old.file_rid;
	UPDATE tags SET file_count = file_count - 1 WHERE rid = old.tag_rid;
END;