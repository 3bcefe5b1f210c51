CREATE TABLE `cameras` (
	`rid` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `cameras_name_unique` ON `cameras` (`name`);--> statement-breakpoint
CREATE TABLE `file_cameras` (
	`file_rid` integer PRIMARY KEY NOT NULL,
	`camera_rid` integer NOT NULL,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`camera_rid`) REFERENCES `cameras`(`rid`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `file_cameras_camera` ON `file_cameras` (`camera_rid`);--> statement-breakpoint
CREATE TABLE `file_positions` (
	`file_rid` integer PRIMARY KEY NOT NULL,
	`geohash` text NOT NULL,
	`town` text,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "file_positions_geohash_whole" CHECK(length(geohash) = 8)
) STRICT;
--> statement-breakpoint
CREATE INDEX `file_positions_geohash` ON `file_positions` (`geohash`);--> statement-breakpoint
CREATE INDEX `file_positions_town` ON `file_positions` (`town`);