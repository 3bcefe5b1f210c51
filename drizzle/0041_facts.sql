CREATE TABLE `file_notes` (
	`file_rid` integer PRIMARY KEY NOT NULL,
	`folded` text NOT NULL,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
DROP INDEX `files_given`;--> statement-breakpoint
CREATE INDEX `files_date_source` ON `files` (`date_source`);--> statement-breakpoint
ALTER TABLE `file_looks` ADD `is_animated` integer;--> statement-breakpoint
CREATE INDEX `file_looks_pixels` ON `file_looks` (width * height);--> statement-breakpoint
CREATE INDEX `file_looks_shape` ON `file_looks` (sign(width - height));--> statement-breakpoint
CREATE INDEX `file_looks_duration` ON `file_looks` (`duration`) WHERE duration IS NOT NULL;--> statement-breakpoint
CREATE INDEX `file_looks_animated` ON `file_looks` (`file_rid`) WHERE is_animated = 1;--> statement-breakpoint
CREATE INDEX `file_details_size` ON `file_details` (`size`);--> statement-breakpoint
CREATE INDEX `file_details_damaged` ON `file_details` (`file_rid`) WHERE is_damaged = 1;