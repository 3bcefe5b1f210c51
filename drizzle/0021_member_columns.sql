CREATE TABLE `__members` AS SELECT `scan_id`, `file_rid`, `group_id`, `phash` FROM `duplicate_members`;
--> statement-breakpoint
DROP TABLE `duplicate_members`;
--> statement-breakpoint
CREATE TABLE `duplicate_members` (
	`scan_id` integer NOT NULL,
	`file_rid` integer NOT NULL,
	`group_id` integer NOT NULL,
	`phash` integer NOT NULL,
	PRIMARY KEY(`scan_id`, `file_rid`),
	FOREIGN KEY (`scan_id`) REFERENCES `duplicate_scans`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `duplicate_members` SELECT * FROM `__members`;
--> statement-breakpoint
DROP TABLE `__members`;
--> statement-breakpoint
CREATE INDEX `duplicate_members_file` ON `duplicate_members` (`file_rid`);
--> statement-breakpoint
CREATE TRIGGER `duplicate_members_delete` AFTER DELETE ON `duplicate_members` WHEN old.scan_id = (SELECT id FROM duplicate_scans WHERE is_current = 1) BEGIN
	UPDATE cache_versions SET version = abs(random() % 9007199254740991) WHERE name = 'duplicates';
END;
