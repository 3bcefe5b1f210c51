CREATE TABLE `audit_texts` (
	`user_id` integer NOT NULL,
	`sha256` blob NOT NULL,
	`text` text NOT NULL,
	`bytes` integer NOT NULL,
	`written_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `sha256`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_texts_time` ON `audit_texts` (`written_at`);--> statement-breakpoint
CREATE TABLE `user_changes` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`day` integer NOT NULL,
	`bytes` integer NOT NULL,
	`text_bytes` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `tag_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`rid` integer NOT NULL,
	`version` integer NOT NULL,
	CONSTRAINT "tag_changes_kind_known" CHECK(kind IN ('tag', 'category', 'user'))
) STRICT;
--> statement-breakpoint
ALTER TABLE `users` ADD `epoch` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `users_epoch` AFTER UPDATE OF `password_hash`, `is_blocked` ON `users`
		WHEN old.password_hash <> new.password_hash OR old.is_blocked < new.is_blocked BEGIN
	UPDATE users SET epoch = epoch + 1 WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `audit_texts_insert` AFTER INSERT ON `audit_texts` BEGIN
	INSERT INTO user_changes (user_id, day, bytes, text_bytes) SELECT id, 0, 0, new.bytes FROM users WHERE id = new.user_id
		ON CONFLICT (user_id) DO UPDATE SET text_bytes = text_bytes + excluded.text_bytes;
END;
--> statement-breakpoint
CREATE TRIGGER `audit_texts_delete` AFTER DELETE ON `audit_texts` BEGIN
	UPDATE user_changes SET text_bytes = text_bytes - old.bytes WHERE user_id = old.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER `tag_changes_last` AFTER INSERT ON `tag_changes` BEGIN
	DELETE FROM tag_changes WHERE seq <= new.seq - 1024;
END;
--> statement-breakpoint
DROP TRIGGER `tags_version_insert`;
--> statement-breakpoint
CREATE TRIGGER `tags_version_insert` AFTER INSERT ON `tags` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
	INSERT INTO tag_changes (kind, rid, version) SELECT 'tag', new.rid, version FROM cache_versions WHERE name = 'tags';
END;
--> statement-breakpoint
DROP TRIGGER `tags_version_update`;
--> statement-breakpoint
CREATE TRIGGER `tags_version_update` AFTER UPDATE OF `name`, `name_key`, `notes`, `color`, `metadata`, `category_rid`, `creator_id`, `is_public`, `is_deleted` ON `tags` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
	INSERT INTO tag_changes (kind, rid, version) SELECT 'tag', new.rid, version FROM cache_versions WHERE name = 'tags';
END;
--> statement-breakpoint
DROP TRIGGER `tags_version_delete`;
--> statement-breakpoint
CREATE TRIGGER `tags_version_delete` AFTER DELETE ON `tags` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
	INSERT INTO tag_changes (kind, rid, version) SELECT 'tag', old.rid, version FROM cache_versions WHERE name = 'tags';
END;
--> statement-breakpoint
DROP TRIGGER `categories_version_update`;
--> statement-breakpoint
CREATE TRIGGER `categories_version_update` AFTER UPDATE ON `categories` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
	INSERT INTO tag_changes (kind, rid, version) SELECT 'category', new.rid, version FROM cache_versions WHERE name = 'tags';
END;
--> statement-breakpoint
DROP TRIGGER `categories_version_delete`;
--> statement-breakpoint
CREATE TRIGGER `categories_version_delete` AFTER DELETE ON `categories` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
	INSERT INTO tag_changes (kind, rid, version) SELECT 'category', old.rid, version FROM cache_versions WHERE name = 'tags';
END;
--> statement-breakpoint
DROP TRIGGER `users_version_update`;
--> statement-breakpoint
CREATE TRIGGER `users_version_update` AFTER UPDATE OF `name` ON `users` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
	INSERT INTO tag_changes (kind, rid, version) SELECT 'user', new.id, version FROM cache_versions WHERE name = 'tags';
END;
