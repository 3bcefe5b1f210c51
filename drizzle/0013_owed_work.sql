CREATE TABLE `owed_work` (
	`file_rid` integer NOT NULL,
	`work` text NOT NULL,
	PRIMARY KEY(`file_rid`, `work`),
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- Which files are owed another try was not kept: the work begins anew.
UPDATE `background_work` SET `version` = '' WHERE `again` IS NOT NULL;
--> statement-breakpoint
ALTER TABLE `background_work` DROP COLUMN `again`;
--> statement-breakpoint
ALTER TABLE `background_work` ADD `due` integer;
