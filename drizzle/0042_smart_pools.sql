ALTER TABLE `pools` ADD COLUMN `filter` text CONSTRAINT "pools_filter_fits" CHECK(filter IS NULL OR (sort_key <> 'manual' AND shares_files = 0));
