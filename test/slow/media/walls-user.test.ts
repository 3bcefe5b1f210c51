import { execFileSync } from 'node:child_process'
import { killingAllOf } from '../../../src/media/walls/user.ts'
import { without } from '../../support/media/media.ts'
import { withoutWalls } from '../../support/media/walls.ts'
import { it } from '../../support/test.ts'

const ALONE = ['--pid', '--fork', '--mount-proc']
/** One that no decoder has: those of servers beside this one would be killed with it, and it with them. */
const USER = 65_519

it('a user of whom nothing runs is killed without an error, where nobody else is there either', {
  skip: withoutWalls('user') || without('unshare', ...ALONE, 'true'),
}, () => {
  // The shell is the first and only process there.
  execFileSync('unshare', [...ALONE, ...killingAllOf(USER)])
})
