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
CREATE TRIGGER `files_proposals_update` AFTER UPDATE OF `date_source`, `mime_type`, `content_datetime`, `content_offset`, `is_public`, `is_deleted` ON `files` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'proposals';
END;