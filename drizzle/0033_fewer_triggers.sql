DROP TRIGGER `tags_version_insert`;
--> statement-breakpoint
DROP TRIGGER `tags_version_update`;
--> statement-breakpoint
DROP TRIGGER `tags_version_delete`;
--> statement-breakpoint
DROP TRIGGER `tags_acl_delete`;
--> statement-breakpoint
DROP TRIGGER `categories_version_update`;
--> statement-breakpoint
DROP TRIGGER `categories_version_delete`;
--> statement-breakpoint
DROP TRIGGER `categories_acl_delete`;
--> statement-breakpoint
DROP TRIGGER `users_version_update`;
--> statement-breakpoint
DROP TRIGGER `tag_changes_last`;
--> statement-breakpoint
DROP TRIGGER `file_details_removal`;
--> statement-breakpoint
DROP TRIGGER `file_details_removed_damage`;
--> statement-breakpoint
DROP TRIGGER `file_details_contents_delete`;
--> statement-breakpoint
DROP TRIGGER `file_details_replaced`;
--> statement-breakpoint
DROP TRIGGER `file_details_replaced_damage`;
--> statement-breakpoint
DROP TRIGGER `files_late_hash`;
--> statement-breakpoint
DROP TRIGGER `files_phash_update`;
--> statement-breakpoint
DROP TABLE `tag_changes`;
--> statement-breakpoint
CREATE TRIGGER `tags_version_insert` AFTER INSERT ON `tags` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
END;
--> statement-breakpoint
CREATE TRIGGER `tags_version_update` AFTER UPDATE OF `name`, `name_key`, `notes`, `color`, `metadata`, `category_rid`, `creator_id`, `is_public`, `is_deleted` ON `tags` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
END;
--> statement-breakpoint
CREATE TRIGGER `tags_delete` AFTER DELETE ON `tags` BEGIN
	DELETE FROM acl WHERE object_type = 'tag' AND object_rid = old.rid;
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
END;
--> statement-breakpoint
CREATE TRIGGER `categories_version_update` AFTER UPDATE ON `categories` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
END;
--> statement-breakpoint
CREATE TRIGGER `categories_delete` AFTER DELETE ON `categories` BEGIN
	DELETE FROM acl WHERE object_type = 'category' AND object_rid = old.rid;
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
END;
--> statement-breakpoint
CREATE TRIGGER `users_version_update` AFTER UPDATE OF `name` ON `users` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
END;
--> statement-breakpoint
CREATE TRIGGER `file_details_delete` AFTER DELETE ON `file_details` BEGIN
	INSERT OR IGNORE INTO removals VALUES (old.blob);
	DELETE FROM damages WHERE blob = old.blob;
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'contents';
END;
--> statement-breakpoint
CREATE TRIGGER `file_details_replaced` AFTER UPDATE OF `blob` ON `file_details` WHEN old.blob <> new.blob BEGIN
	INSERT OR IGNORE INTO removals VALUES (old.blob);
	DELETE FROM damages WHERE blob = old.blob;
END;
--> statement-breakpoint
CREATE TRIGGER `files_phash_update` AFTER UPDATE OF `phash` ON `files` WHEN old.phash IS NOT new.phash BEGIN
	INSERT INTO phash_changes(phash, change) SELECT old.phash, -1 WHERE old.phash IS NOT NULL;
	INSERT INTO phash_changes(phash, change) SELECT new.phash, 1 WHERE new.phash IS NOT NULL;
	UPDATE library SET late_hashes = late_hashes + 1 WHERE new.phash IS NOT NULL;
END;
