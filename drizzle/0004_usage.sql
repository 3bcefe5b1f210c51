CREATE TABLE `usage` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`file_count` integer NOT NULL,
	`bytes` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
INSERT INTO `usage` (`user_id`, `file_count`, `bytes`)
	SELECT f.creator_id, count(*), sum(d.size) FROM file_details d JOIN files f ON f.rid = d.file_rid GROUP BY f.creator_id;
--> statement-breakpoint
CREATE TRIGGER `file_details_usage_insert` AFTER INSERT ON `file_details` BEGIN
	INSERT INTO usage (user_id, file_count, bytes) SELECT creator_id, 1, new.size FROM files WHERE rid = new.file_rid
		ON CONFLICT (user_id) DO UPDATE SET file_count = file_count + 1, bytes = bytes + excluded.bytes;
END;
--> statement-breakpoint
CREATE TRIGGER `file_details_usage_update` AFTER UPDATE OF `size` ON `file_details` WHEN old.size <> new.size BEGIN
	UPDATE usage SET bytes = bytes - old.size + new.size WHERE user_id = (SELECT creator_id FROM files WHERE rid = new.file_rid);
END;
--> statement-breakpoint
CREATE TRIGGER `files_usage_update` AFTER UPDATE OF `creator_id` ON `files` WHEN old.creator_id <> new.creator_id BEGIN
	UPDATE usage SET file_count = file_count - 1, bytes = bytes - d.size
		FROM (SELECT size FROM file_details WHERE file_rid = new.rid) AS d WHERE user_id = old.creator_id;
	INSERT INTO usage (user_id, file_count, bytes) SELECT new.creator_id, 1, size FROM file_details WHERE file_rid = new.rid
		ON CONFLICT (user_id) DO UPDATE SET file_count = file_count + 1, bytes = bytes + excluded.bytes;
END;
--> statement-breakpoint
CREATE TRIGGER `files_usage_delete` BEFORE DELETE ON `files` BEGIN
	UPDATE usage SET file_count = file_count - 1, bytes = bytes - d.size
		FROM (SELECT size FROM file_details WHERE file_rid = old.rid) AS d WHERE user_id = old.creator_id;
END;
