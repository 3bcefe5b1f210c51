ALTER TABLE `pool_files` RENAME COLUMN "position" TO "order_key";--> statement-breakpoint
CREATE TABLE `pool_blocks` (
	`pool_rid` integer NOT NULL,
	`first_key` integer NOT NULL,
	`files` integer NOT NULL,
	PRIMARY KEY(`pool_rid`, `first_key`),
	FOREIGN KEY (`pool_rid`) REFERENCES `pools`(`rid`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
DROP INDEX `pool_files_position`;--> statement-breakpoint
UPDATE pool_files SET order_key = order_key * 1048576;
--> statement-breakpoint
CREATE UNIQUE INDEX `pool_files_order` ON `pool_files` (`pool_rid`,`order_key`);
--> statement-breakpoint
INSERT INTO pool_blocks SELECT rid, -9007199254740992, 0 FROM pools;
--> statement-breakpoint
INSERT INTO pool_blocks
SELECT pool_rid, iif(place < 128, -9007199254740992, min(order_key)), count(*)
FROM (SELECT pool_rid, order_key, row_number() OVER (PARTITION BY pool_rid ORDER BY order_key) - 1 AS place FROM pool_files)
GROUP BY pool_rid, place / 128
ON CONFLICT DO UPDATE SET files = excluded.files;
--> statement-breakpoint
CREATE TRIGGER `pools_blocks_insert` AFTER INSERT ON `pools` BEGIN
	INSERT INTO pool_blocks VALUES (new.rid, -9007199254740992, 0);
END;
--> statement-breakpoint
CREATE TRIGGER `pool_files_blocks_insert` AFTER INSERT ON `pool_files` WHEN new.order_key < (1 << 60) BEGIN
	UPDATE pool_blocks SET files = files + 1 WHERE pool_rid = new.pool_rid AND first_key =
		(SELECT max(first_key) FROM pool_blocks WHERE pool_rid = new.pool_rid AND first_key <= new.order_key);
END;
--> statement-breakpoint
CREATE TRIGGER `pool_files_blocks_delete` AFTER DELETE ON `pool_files` WHEN old.order_key < (1 << 60) BEGIN
	UPDATE pool_blocks SET files = files - 1 WHERE pool_rid = old.pool_rid AND first_key =
		(SELECT max(first_key) FROM pool_blocks WHERE pool_rid = old.pool_rid AND first_key <= old.order_key);
END;
--> statement-breakpoint
CREATE TRIGGER `pool_files_blocks_leave` AFTER UPDATE OF `order_key` ON `pool_files` WHEN old.order_key < (1 << 60) BEGIN
	UPDATE pool_blocks SET files = files - 1 WHERE pool_rid = old.pool_rid AND first_key =
		(SELECT max(first_key) FROM pool_blocks WHERE pool_rid = old.pool_rid AND first_key <= old.order_key);
END;
--> statement-breakpoint
CREATE TRIGGER `pool_files_blocks_enter` AFTER UPDATE OF `order_key` ON `pool_files` WHEN new.order_key < (1 << 60) BEGIN
	UPDATE pool_blocks SET files = files + 1 WHERE pool_rid = new.pool_rid AND first_key =
		(SELECT max(first_key) FROM pool_blocks WHERE pool_rid = new.pool_rid AND first_key <= new.order_key);
END;
