INSERT INTO `file_view_days` (`file_rid`, `user_id`, `day`, `viewed_at`)
SELECT `file_rid`, `user_id`, `viewed_at` / 86400000, max(`viewed_at`) FROM `file_views` WHERE true GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET `viewed_at` = max(`viewed_at`, excluded.`viewed_at`);
--> statement-breakpoint
INSERT INTO `pool_view_days` (`pool_rid`, `user_id`, `day`, `viewed_at`)
SELECT `pool_rid`, `user_id`, `viewed_at` / 86400000, max(`viewed_at`) FROM `pool_views` WHERE true GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET `viewed_at` = max(`viewed_at`, excluded.`viewed_at`);
--> statement-breakpoint
DELETE FROM `long_changes` WHERE `kind` = 'fold_views';
--> statement-breakpoint
DROP TABLE `file_views`;
--> statement-breakpoint
DROP TABLE `pool_views`;
