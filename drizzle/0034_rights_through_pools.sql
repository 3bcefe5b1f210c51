CREATE TABLE `acl_before` AS SELECT * FROM `acl`;
--> statement-breakpoint
DROP TABLE `acl`;
--> statement-breakpoint
CREATE TABLE `acl` (
	`user_id` integer NOT NULL,
	`object_type` text NOT NULL,
	`object_rid` integer NOT NULL,
	`pool_rid` integer DEFAULT 0 NOT NULL,
	`can_view` integer NOT NULL CHECK (`can_view` IN (0, 1)),
	`can_edit` integer NOT NULL CHECK (`can_edit` IN (0, 1)),
	`granted_at` integer,
	PRIMARY KEY(`user_id`, `object_type`, `object_rid`, `pool_rid`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "acl_object_type_known" CHECK(object_type IN ('file', 'tag', 'category', 'pool')),
	CONSTRAINT "acl_edit_implies_view" CHECK(can_view = 1 OR can_edit = 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `acl` (`user_id`, `object_type`, `object_rid`, `can_view`, `can_edit`)
SELECT `user_id`, `object_type`, `object_rid`, `can_view`, `can_edit` FROM `acl_before`;
--> statement-breakpoint
DROP TABLE `acl_before`;
--> statement-breakpoint
CREATE INDEX `acl_object` ON `acl` (`object_type`,`object_rid`,`user_id`);
--> statement-breakpoint
CREATE INDEX `acl_pool` ON `acl` (`pool_rid`,`user_id`) WHERE pool_rid <> 0;
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
ALTER TABLE `pools` ADD `shares_files` integer DEFAULT false NOT NULL CHECK (`shares_files` IN (0, 1));
--> statement-breakpoint
CREATE TRIGGER `pool_files_acl_delete` AFTER DELETE ON `pool_files` BEGIN
	DELETE FROM acl WHERE object_type = 'file' AND object_rid = old.file_rid AND pool_rid = old.pool_rid;
END;
