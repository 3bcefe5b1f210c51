CREATE TABLE `share_files` (
	`share_rid` integer NOT NULL,
	`file_rid` integer NOT NULL,
	`place` integer NOT NULL,
	PRIMARY KEY(`share_rid`, `file_rid`),
	FOREIGN KEY (`share_rid`) REFERENCES `shares`(`rid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `share_files_file` ON `share_files` (`file_rid`);--> statement-breakpoint
CREATE TABLE `shares` (
	`rid` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` blob NOT NULL,
	`token_hash` blob NOT NULL,
	`creator_id` integer NOT NULL,
	`title` text,
	`pool_rid` integer,
	`follows` integer NOT NULL,
	`downloads` text NOT NULL,
	`shows_names` integer NOT NULL,
	`may_upload` integer NOT NULL,
	`password_hash` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`creator_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`pool_rid`) REFERENCES `pools`(`rid`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "shares_downloads_known" CHECK(downloads IN ('none', 'without_place', 'as_they_are')),
	CONSTRAINT "shares_follow_pools" CHECK(follows = 0 OR pool_rid IS NOT NULL)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `shares_id_unique` ON `shares` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `shares_token_hash_unique` ON `shares` (`token_hash`);--> statement-breakpoint
CREATE INDEX `shares_creator` ON `shares` (`creator_id`);--> statement-breakpoint
CREATE INDEX `shares_pool` ON `shares` (`pool_rid`);
