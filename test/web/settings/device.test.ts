import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deviceOf } from '../../../src/gallery/settings/device.ts'

const MOZILLA = 'Mozilla/5.0'
const KIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('what a session was begun with', () => {
  it('is told by the name that browsers mean among those that they give', () => {
    const known = [
      [`${MOZILLA} (X11; Linux x86_64) ${KIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
      [
        `${MOZILLA} (Windows NT 10.0; Win64; x64) ${KIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
        'Edge',
        'Windows',
      ],
      [
        `${MOZILLA} (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0`,
        'Firefox',
        'Windows',
      ],
      [
        `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`,
        'Safari',
        'Mac',
      ],
      [
        `${MOZILLA} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1`,
        'Safari',
        'iPhone',
      ],
      [
        `${MOZILLA} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1`,
        'Chrome',
        'iPhone',
      ],
      [
        `${MOZILLA} (Linux; Android 10; K) ${KIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
        'Samsung Internet',
        'Android',
      ],
    ]
    for (const [agent, program, system] of known) {
      assert.deepEqual(deviceOf(agent!), { program, system })
    }
  })

  it('is the name of another program', () => {
    assert.deepEqual(deviceOf('curl/8.5.0'), { program: 'curl', system: undefined })
    assert.deepEqual(deviceOf(''), { program: '', system: undefined })
  })
})
