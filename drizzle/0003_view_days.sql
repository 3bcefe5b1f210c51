CREATE TABLE `file_view_days` (
	`file_rid` integer NOT NULL,
	`user_id` integer NOT NULL,
	`day` integer NOT NULL,
	`viewed_at` integer NOT NULL,
	PRIMARY KEY(`file_rid`, `user_id`, `day`),
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `file_view_days_user` ON `file_view_days` (`user_id`);--> statement-breakpoint
CREATE TABLE `pool_view_days` (
	`pool_rid` integer NOT NULL,
	`user_id` integer NOT NULL,
	`day` integer NOT NULL,
	`viewed_at` integer NOT NULL,
	PRIMARY KEY(`pool_rid`, `user_id`, `day`),
	FOREIGN KEY (`pool_rid`) REFERENCES `pools`(`rid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `pool_view_days_user` ON `pool_view_days` (`user_id`);