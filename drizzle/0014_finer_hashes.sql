CREATE TABLE `finer_hashes` (
	`file_rid` integer PRIMARY KEY NOT NULL,
	`hash` blob NOT NULL,
	`is_plain` integer NOT NULL CHECK (`is_plain` IN (0, 1)),
	`sha256` blob NOT NULL,
	FOREIGN KEY (`file_rid`) REFERENCES `files`(`rid`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "finer_hashes_hash_whole" CHECK(length(hash) = 32),
	CONSTRAINT "finer_hashes_sha256_whole" CHECK(length(sha256) = 32)
) STRICT;
--> statement-breakpoint
CREATE TRIGGER `file_details_content_update` AFTER UPDATE OF `blob`, `sha256` ON `file_details` BEGIN
	DELETE FROM finer_hashes WHERE file_rid = new.file_rid;
	DELETE FROM duplicate_members WHERE file_rid = new.file_rid;
END;
