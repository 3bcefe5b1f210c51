CREATE TABLE `favourites` (
	`user_id` integer NOT NULL,
	`file_rid` integer NOT NULL,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `file_rid`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `favourites_file` ON `favourites` (`file_rid`);
