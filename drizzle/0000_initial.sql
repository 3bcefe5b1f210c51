CREATE TABLE `acl` (
	`user_id` integer NOT NULL,
	`object_type` text NOT NULL,
	`object_rid` integer NOT NULL,
	`can_view` integer NOT NULL CHECK (`can_view` IN (0, 1)),
	`can_edit` integer NOT NULL CHECK (`can_edit` IN (0, 1)),
	PRIMARY KEY(`user_id`, `object_type`, `object_rid`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "acl_object_type_known" CHECK(object_type IN ('file', 'tag', 'category', 'pool')),
	CONSTRAINT "acl_edit_implies_view" CHECK(can_view = 1 OR can_edit = 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `acl_object` ON `acl` (`object_type`,`object_rid`);--> statement-breakpoint
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`user_name` text NOT NULL,
	`action` text NOT NULL,
	`object_type` text,
	`object_id` blob,
	`details` text,
	`performed_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_log_time` ON `audit_log` (`performed_at`);--> statement-breakpoint
CREATE INDEX `audit_log_user` ON `audit_log` (`user_id`,`performed_at`);--> statement-breakpoint
CREATE INDEX `audit_log_action` ON `audit_log` (`action`,`performed_at`);--> statement-breakpoint
CREATE INDEX `audit_log_object_type` ON `audit_log` (`object_type`,`performed_at`);--> statement-breakpoint
CREATE INDEX `audit_log_object` ON `audit_log` (`object_id`,`performed_at`);--> statement-breakpoint
CREATE TABLE `categories` (
	`rid` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` blob NOT NULL CHECK (length(`id`) = 16),
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`notes` text,
	`color` text CHECK (`color` GLOB '[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f]'),
	`metadata` text,
	`creator_id` integer NOT NULL,
	`is_public` integer NOT NULL CHECK (`is_public` IN (0, 1)),
	FOREIGN KEY (`creator_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `categories_id_unique` ON `categories` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `categories_name_unique` ON `categories` (`name`);--> statement-breakpoint
CREATE INDEX `categories_creator` ON `categories` (`creator_id`);--> statement-breakpoint
CREATE TABLE `file_details` (
	`file_rid` integer PRIMARY KEY NOT NULL,
	`blob` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` blob NOT NULL CHECK (length(`sha256`) = 32),
	`stored_at` integer NOT NULL,
	`derivative_state` text NOT NULL,
	`decoder_version` text,
	`notes` text,
	`metadata` text,
	`exif` text NOT NULL,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "file_details_state_known" CHECK(derivative_state IN ('pending', 'made', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `file_details_blob` ON `file_details` (`blob`);--> statement-breakpoint
CREATE INDEX `file_details_state` ON `file_details` (`derivative_state`);--> statement-breakpoint
CREATE TABLE `file_tags` (
	`file_rid` integer NOT NULL,
	`tag_rid` integer NOT NULL,
	PRIMARY KEY(`file_rid`, `tag_rid`),
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tag_rid`) REFERENCES `tags`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `file_tags_tag` ON `file_tags` (`tag_rid`,`file_rid`);--> statement-breakpoint
CREATE TABLE `file_views` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file_rid` integer NOT NULL,
	`user_id` integer NOT NULL,
	`viewed_at` integer NOT NULL,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `file_views_file` ON `file_views` (`file_rid`);--> statement-breakpoint
CREATE INDEX `file_views_user` ON `file_views` (`user_id`);--> statement-breakpoint
CREATE TABLE `files` (
	`rid` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` blob NOT NULL CHECK (length(`id`) = 16),
	`original_name` text,
	`name_key` text NOT NULL,
	`mime_type` text NOT NULL,
	`mime_extension` text NOT NULL,
	`content_datetime` integer NOT NULL,
	`phash` integer,
	`creator_id` integer NOT NULL,
	`is_public` integer NOT NULL CHECK (`is_public` IN (0, 1)),
	`is_deleted` integer NOT NULL CHECK (`is_deleted` IN (0, 1)),
	`needs_review` integer NOT NULL CHECK (`needs_review` IN (0, 1)),
	`tag_count` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`creator_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "files_content_datetime_known" CHECK(content_datetime BETWEEN -62135596800000 AND 253402300799999)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `files_id_unique` ON `files` (`id`);--> statement-breakpoint
CREATE INDEX `files_created` ON `files` (`is_deleted`,`id`,`creator_id`,`is_public`);--> statement-breakpoint
CREATE INDEX `files_content_datetime` ON `files` (`is_deleted`,`content_datetime`,`id`,`creator_id`,`is_public`);--> statement-breakpoint
CREATE INDEX `files_original_name` ON `files` (`is_deleted`,`name_key`,`id`,`creator_id`,`is_public`);--> statement-breakpoint
CREATE INDEX `files_mime` ON `files` (`is_deleted`,`mime_type`,`id`,`creator_id`,`is_public`);--> statement-breakpoint
CREATE INDEX `files_creator` ON `files` (`creator_id`);--> statement-breakpoint
CREATE INDEX `files_needs_review` ON `files` (`needs_review`);--> statement-breakpoint
CREATE INDEX `files_mime_type` ON `files` (`mime_type`);--> statement-breakpoint
CREATE INDEX `files_phash` ON `files` (`phash`) WHERE phash IS NOT NULL;--> statement-breakpoint
CREATE INDEX `files_untagged` ON `files` (`rid`) WHERE tag_count = 0;--> statement-breakpoint
CREATE TABLE `pool_files` (
	`pool_rid` integer NOT NULL,
	`file_rid` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`pool_rid`, `file_rid`),
	FOREIGN KEY (`pool_rid`) REFERENCES `pools`(`rid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `pool_files_file` ON `pool_files` (`file_rid`);--> statement-breakpoint
CREATE UNIQUE INDEX `pool_files_position` ON `pool_files` (`pool_rid`,`position`);--> statement-breakpoint
CREATE TABLE `pool_views` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`pool_rid` integer NOT NULL,
	`user_id` integer NOT NULL,
	`viewed_at` integer NOT NULL,
	FOREIGN KEY (`pool_rid`) REFERENCES `pools`(`rid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `pool_views_pool` ON `pool_views` (`pool_rid`);--> statement-breakpoint
CREATE INDEX `pool_views_user` ON `pool_views` (`user_id`);--> statement-breakpoint
CREATE TABLE `pools` (
	`rid` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` blob NOT NULL CHECK (length(`id`) = 16),
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`notes` text,
	`metadata` text,
	`creator_id` integer NOT NULL,
	`is_public` integer NOT NULL CHECK (`is_public` IN (0, 1)),
	`sort_key` text NOT NULL,
	`sort_order` text NOT NULL,
	FOREIGN KEY (`creator_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "pools_sort_key_known" CHECK(sort_key IN ('manual', 'content_datetime', 'created', 'original_name')),
	CONSTRAINT "pools_sort_order_known" CHECK(sort_order IN ('asc', 'desc'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `pools_id_unique` ON `pools` (`id`);--> statement-breakpoint
CREATE INDEX `pools_name` ON `pools` (`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `pools_creator` ON `pools` (`creator_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`user_agent` text NOT NULL,
	`nonce` blob NOT NULL,
	`generation` integer NOT NULL,
	`rotated_at` integer NOT NULL,
	`started_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_activity` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `tag_rules` (
	`when_tag_rid` integer NOT NULL,
	`then_tag_rid` integer NOT NULL,
	`is_active` integer NOT NULL CHECK (`is_active` IN (0, 1)),
	PRIMARY KEY(`when_tag_rid`, `then_tag_rid`),
	FOREIGN KEY (`when_tag_rid`) REFERENCES `tags`(`rid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`then_tag_rid`) REFERENCES `tags`(`rid`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "tag_rules_not_self" CHECK(when_tag_rid <> then_tag_rid)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `tag_rules_then` ON `tag_rules` (`then_tag_rid`);--> statement-breakpoint
CREATE TABLE `tags` (
	`rid` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` blob NOT NULL CHECK (length(`id`) = 16),
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`notes` text,
	`color` text CHECK (`color` GLOB '[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f]'),
	`metadata` text,
	`category_rid` integer,
	`creator_id` integer NOT NULL,
	`is_public` integer NOT NULL CHECK (`is_public` IN (0, 1)),
	`file_count` integer DEFAULT 0 NOT NULL,
	`files_version` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`category_rid`) REFERENCES `categories`(`rid`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`creator_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_id_unique` ON `tags` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tags_name_unique` ON `tags` (`name`);--> statement-breakpoint
CREATE INDEX `tags_category` ON `tags` (`category_rid`);--> statement-breakpoint
CREATE INDEX `tags_creator` ON `tags` (`creator_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`password_hash` text NOT NULL,
	`is_admin` integer NOT NULL CHECK (`is_admin` IN (0, 1)),
	`can_create` integer NOT NULL CHECK (`can_create` IN (0, 1)),
	`is_blocked` integer NOT NULL CHECK (`is_blocked` IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_name_unique` ON `users` (`name`);--> statement-breakpoint
CREATE TABLE `cache_versions` (
	`name` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `duplicate_dismissals` (
	`file_rid_a` integer NOT NULL,
	`file_rid_b` integer NOT NULL,
	PRIMARY KEY(`file_rid_a`, `file_rid_b`),
	FOREIGN KEY (`file_rid_a`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`file_rid_b`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "duplicate_dismissals_ordered" CHECK(file_rid_a < file_rid_b)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `duplicate_dismissals_b` ON `duplicate_dismissals` (`file_rid_b`);--> statement-breakpoint
CREATE TABLE `duplicate_members` (
	`scan_id` integer NOT NULL,
	`phash` integer NOT NULL,
	`file_rid` integer NOT NULL,
	PRIMARY KEY(`scan_id`, `file_rid`),
	FOREIGN KEY (`scan_id`) REFERENCES `duplicate_scans`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `duplicate_members_file` ON `duplicate_members` (`file_rid`);--> statement-breakpoint
CREATE TABLE `duplicate_pairs` (
	`scan_id` integer NOT NULL,
	`phash_a` integer NOT NULL,
	`phash_b` integer NOT NULL,
	`distance` integer NOT NULL,
	PRIMARY KEY(`scan_id`, `phash_a`, `phash_b`),
	FOREIGN KEY (`scan_id`) REFERENCES `duplicate_scans`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "duplicate_pairs_ordered" CHECK(phash_a < phash_b),
	CONSTRAINT "duplicate_pairs_distance_known" CHECK(distance BETWEEN 1 AND 64)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `duplicate_scans` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`threshold` integer NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`is_current` integer NOT NULL CHECK (`is_current` IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE TABLE `import_journal` (
	`path` text PRIMARY KEY NOT NULL,
	`sha256` blob NOT NULL CHECK (length(`sha256`) = 32),
	`file_rid` integer NOT NULL,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `import_journal_file` ON `import_journal` (`file_rid`);--> statement-breakpoint
CREATE TABLE `phash_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`phash` integer NOT NULL,
	`change` integer NOT NULL,
	CONSTRAINT "phash_changes_change_known" CHECK(change IN (1, -1))
) STRICT;
--> statement-breakpoint
CREATE VIRTUAL TABLE `files_fts` USING fts5(`name_key`, content='files', content_rowid='rid', tokenize='trigram case_sensitive 1');
--> statement-breakpoint
CREATE TRIGGER `files_fts_insert` AFTER INSERT ON `files` BEGIN
	INSERT INTO files_fts(rowid, name_key) VALUES (new.rid, new.name_key);
END;
--> statement-breakpoint
CREATE TRIGGER `files_fts_update` AFTER UPDATE OF `name_key` ON `files` WHEN old.name_key <> new.name_key BEGIN
	INSERT INTO files_fts(files_fts, rowid, name_key) VALUES ('delete', old.rid, old.name_key);
	INSERT INTO files_fts(rowid, name_key) VALUES (new.rid, new.name_key);
END;
--> statement-breakpoint
CREATE TRIGGER `files_fts_delete` AFTER DELETE ON `files` BEGIN
	INSERT INTO files_fts(files_fts, rowid, name_key) VALUES ('delete', old.rid, old.name_key);
END;
--> statement-breakpoint
CREATE TRIGGER `file_tags_insert` AFTER INSERT ON `file_tags` BEGIN
	UPDATE files SET tag_count = tag_count + 1 WHERE rid = new.file_rid;
	UPDATE tags SET file_count = file_count + 1, files_version = files_version + 1 WHERE rid = new.tag_rid;
END;
--> statement-breakpoint
CREATE TRIGGER `file_tags_delete` AFTER DELETE ON `file_tags` BEGIN
	UPDATE files SET tag_count = tag_count - 1 WHERE rid = old.file_rid;
	UPDATE tags SET file_count = file_count - 1, files_version = files_version + 1 WHERE rid = old.tag_rid;
END;
--> statement-breakpoint
CREATE TRIGGER `files_acl_delete` AFTER DELETE ON `files` BEGIN
	DELETE FROM acl WHERE object_type = 'file' AND object_rid = old.rid;
END;
--> statement-breakpoint
CREATE TRIGGER `tags_acl_delete` AFTER DELETE ON `tags` BEGIN
	DELETE FROM acl WHERE object_type = 'tag' AND object_rid = old.rid;
END;
--> statement-breakpoint
CREATE TRIGGER `categories_acl_delete` AFTER DELETE ON `categories` BEGIN
	DELETE FROM acl WHERE object_type = 'category' AND object_rid = old.rid;
END;
--> statement-breakpoint
CREATE TRIGGER `pools_acl_delete` AFTER DELETE ON `pools` BEGIN
	DELETE FROM acl WHERE object_type = 'pool' AND object_rid = old.rid;
END;
--> statement-breakpoint
INSERT INTO `cache_versions` (`name`, `version`) VALUES ('tags', 0);
--> statement-breakpoint
CREATE TRIGGER `tags_version_insert` AFTER INSERT ON `tags` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
END;
--> statement-breakpoint
CREATE TRIGGER `tags_version_update` AFTER UPDATE OF `name`, `name_key`, `notes`, `color`, `metadata`, `category_rid`, `creator_id`, `is_public` ON `tags` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
END;
--> statement-breakpoint
CREATE TRIGGER `tags_version_delete` AFTER DELETE ON `tags` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
END;
--> statement-breakpoint
CREATE TRIGGER `categories_version_update` AFTER UPDATE ON `categories` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
END;
--> statement-breakpoint
CREATE TRIGGER `categories_version_delete` AFTER DELETE ON `categories` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
END;
--> statement-breakpoint
CREATE TRIGGER `users_version_update` AFTER UPDATE OF `name` ON `users` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'tags';
END;
--> statement-breakpoint
INSERT INTO `cache_versions` (`name`, `version`) VALUES ('duplicates', 0);
--> statement-breakpoint
CREATE TRIGGER `files_duplicates_update` AFTER UPDATE OF `phash`, `creator_id`, `is_public`, `is_deleted` ON `files` WHEN EXISTS (SELECT 1 FROM duplicate_members WHERE file_rid = new.rid) BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'duplicates';
END;
--> statement-breakpoint
CREATE TRIGGER `duplicate_members_delete` AFTER DELETE ON `duplicate_members` WHEN old.scan_id = (SELECT id FROM duplicate_scans WHERE is_current = 1) BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'duplicates';
END;
--> statement-breakpoint
CREATE TRIGGER `acl_duplicates_insert` AFTER INSERT ON `acl` WHEN new.object_type = 'file' BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'duplicates';
END;
--> statement-breakpoint
CREATE TRIGGER `acl_duplicates_update` AFTER UPDATE ON `acl` WHEN new.object_type = 'file' BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'duplicates';
END;
--> statement-breakpoint
CREATE TRIGGER `acl_duplicates_delete` AFTER DELETE ON `acl` WHEN old.object_type = 'file' BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'duplicates';
END;
--> statement-breakpoint
CREATE TRIGGER `duplicate_dismissals_insert` AFTER INSERT ON `duplicate_dismissals` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'duplicates';
END;
--> statement-breakpoint
CREATE TRIGGER `duplicate_dismissals_delete` AFTER DELETE ON `duplicate_dismissals` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'duplicates';
END;
--> statement-breakpoint
CREATE TRIGGER `duplicate_scans_update` AFTER UPDATE OF `is_current` ON `duplicate_scans` BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'duplicates';
END;
--> statement-breakpoint
CREATE TRIGGER `files_phash_update` AFTER UPDATE OF `phash` ON `files` WHEN old.phash IS NOT new.phash BEGIN
	INSERT INTO phash_changes(phash, change) SELECT old.phash, -1 WHERE old.phash IS NOT NULL;
	INSERT INTO phash_changes(phash, change) SELECT new.phash, 1 WHERE new.phash IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `files_phash_delete` AFTER DELETE ON `files` WHEN old.phash IS NOT NULL BEGIN
	INSERT INTO phash_changes(phash, change) VALUES (old.phash, -1);
END;
