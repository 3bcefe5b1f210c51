ALTER TABLE `duplicate_scans` ADD `is_whole` integer DEFAULT false NOT NULL CHECK (`is_whole` IN (0, 1));
--> statement-breakpoint
CREATE TABLE `old_members` AS SELECT `scan_id`, dense_rank() OVER (ORDER BY `phash`) AS `group_id`, `file_rid`, `phash`
FROM `duplicate_members` WHERE `scan_id` = (SELECT `id` FROM `duplicate_scans` WHERE `is_current` = 1);
--> statement-breakpoint
CREATE TABLE `old_groups` (`phash` integer PRIMARY KEY, `group_id` integer NOT NULL) STRICT;
--> statement-breakpoint
INSERT OR IGNORE INTO `old_groups` SELECT `phash`, `group_id` FROM `old_members`;
--> statement-breakpoint
CREATE TABLE `old_pairs` AS SELECT `scan_id`, a.`group_id` AS `group_a`, b.`group_id` AS `group_b`, `distance`
FROM `duplicate_pairs` JOIN `old_groups` AS a ON a.`phash` = `phash_a` JOIN `old_groups` AS b ON b.`phash` = `phash_b`
WHERE `scan_id` = (SELECT `id` FROM `duplicate_scans` WHERE `is_current` = 1);
--> statement-breakpoint
DROP TABLE `duplicate_members`;
--> statement-breakpoint
DROP TABLE `duplicate_pairs`;
--> statement-breakpoint
DELETE FROM `duplicate_scans` WHERE `is_current` = 0;
--> statement-breakpoint
CREATE TABLE `duplicate_members` (
	`scan_id` integer NOT NULL,
	`group_id` integer NOT NULL,
	`file_rid` integer NOT NULL,
	`phash` integer NOT NULL,
	PRIMARY KEY(`scan_id`, `file_rid`),
	FOREIGN KEY (`scan_id`) REFERENCES `duplicate_scans`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `duplicate_pairs` (
	`scan_id` integer NOT NULL,
	`group_a` integer NOT NULL,
	`group_b` integer NOT NULL,
	`distance` integer NOT NULL,
	PRIMARY KEY(`scan_id`, `group_a`, `group_b`),
	FOREIGN KEY (`scan_id`) REFERENCES `duplicate_scans`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "duplicate_pairs_ordered" CHECK(group_a < group_b),
	CONSTRAINT "duplicate_pairs_distance_known" CHECK(distance BETWEEN 0 AND 64)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `duplicate_members` SELECT `scan_id`, `group_id`, `file_rid`, `phash` FROM `old_members` ORDER BY `file_rid`;
--> statement-breakpoint
INSERT INTO `duplicate_pairs` SELECT `scan_id`, `group_a`, `group_b`, `distance` FROM `old_pairs` ORDER BY `group_a`, `group_b`;
--> statement-breakpoint
CREATE INDEX `duplicate_members_file` ON `duplicate_members` (`file_rid`);
--> statement-breakpoint
CREATE TRIGGER `duplicate_members_delete` AFTER DELETE ON `duplicate_members` WHEN old.scan_id = (SELECT id FROM duplicate_scans WHERE is_current = 1) BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'duplicates';
END;
--> statement-breakpoint
DROP TABLE `old_members`;
--> statement-breakpoint
DROP TABLE `old_groups`;
--> statement-breakpoint
DROP TABLE `old_pairs`;
