CREATE TABLE `dav_entries` (
	`rid` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`folder` text NOT NULL,
	`name` text NOT NULL,
	`is_folder` integer NOT NULL,
	`file_rid` integer,
	`upload_id` blob,
	`size` integer NOT NULL,
	`sha256` blob,
	`modified_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`upload_id`) REFERENCES `uploads`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `dav_entries_path` ON `dav_entries` (`user_id`,`folder`,`name`);--> statement-breakpoint
CREATE INDEX `dav_entries_file` ON `dav_entries` (`file_rid`) WHERE file_rid IS NOT NULL;--> statement-breakpoint
CREATE INDEX `dav_entries_upload` ON `dav_entries` (`upload_id`) WHERE upload_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `dav_entries_bare` ON `dav_entries` (`user_id`) WHERE sha256 IS NULL;
