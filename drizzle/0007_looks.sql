CREATE TABLE `background_work` (
	`name` text PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`place` integer,
	`total` integer NOT NULL,
	`looked_at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `file_looks` (
	`file_rid` integer PRIMARY KEY NOT NULL,
	`width` integer,
	`height` integer,
	`duration` real,
	`thumbhash` blob,
	`decoder` text NOT NULL,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
ALTER TABLE `files` ADD COLUMN `date_source` text CONSTRAINT "files_date_source_known" CHECK(date_source IN ('given', 'exif', 'xmp', 'gps', 'video', 'name', 'mtime', 'upload'));
--> statement-breakpoint
ALTER TABLE `files` ADD COLUMN `content_offset` integer CONSTRAINT "files_content_offset_known" CHECK(content_offset BETWEEN -1439 AND 1439);
