import { entriesOf } from '../audit/list.ts'
import { editableFiles } from '../duplicates/proposals/find.ts'
import { archiveOf } from '../files/archive/choose.ts'
import { walkFoldedFar } from '../files/companions/folding.ts'
import { ranksOf, walkFar } from '../files/find/far.ts'
import { countTags } from '../files/overview/counts.ts'
import { facetsOf } from '../files/overview/facets.ts'
import { idsOf } from '../files/overview/ids.ts'
import { mapOf } from '../files/overview/map.ts'
import { readThisDay } from '../files/overview/this-day.ts'
import { timelineOf } from '../files/overview/timeline.ts'
import { countSmart } from '../pools/count.ts'
import { countMany, hiddenOfPool } from '../pools/queries.ts'
import { readNews } from '../pools/sharing/news.ts'
import { reachOf } from '../pools/sharing/reach.ts'
import { sharedFiles, sharedPage, shownCounts } from '../shares/shown.ts'
import type { Answering } from './question.ts'

/** All questions that a reader answers. */
export const QUESTIONS: Answering[] = [
  walkFar.question,
  ranksOf.question,
  walkFoldedFar.question,
  idsOf.question,
  countTags.question,
  facetsOf.question,
  countMany.question,
  countSmart.question,
  hiddenOfPool.question,
  timelineOf.question,
  mapOf.question,
  readThisDay.question,
  reachOf.question,
  readNews.question,
  archiveOf.question,
  editableFiles.question,
  entriesOf.question,
  sharedPage.question,
  sharedFiles.question,
  shownCounts.question,
]
