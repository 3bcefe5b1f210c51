DROP TRIGGER `pools_blocks_insert`;
--> statement-breakpoint
DROP TRIGGER `pool_files_blocks_insert`;
--> statement-breakpoint
DROP TRIGGER `pool_files_blocks_delete`;
--> statement-breakpoint
DROP TRIGGER `pool_files_blocks_leave`;
--> statement-breakpoint
DROP TRIGGER `pool_files_blocks_enter`;
--> statement-breakpoint
DROP TABLE `pool_blocks`;
