import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { AUDIT_ACTIONS, type AuditAction } from '../../../src/audit/details.ts'
import { deedsOf, type Entry } from '../../../src/gallery/audit/entries.ts'
import {
  groupsOf,
  type NameOf,
  PLACE,
  plainSentence,
  undoneOf,
  wordingOf,
} from '../../../src/gallery/audit/sentences.ts'
import { LANGUAGES, language } from '../../../src/gallery/base/text.ts'

const TYPES = ['file', 'tag', 'category', 'pool']
let ids = 0
function entry(action: string, details: Entry['details'] = {}, operation = 7): Entry {
  const type = action.replace(/^file_pool/, 'pool').split('_')[0]!
  return {
    id: ++ids,
    action,
    operation,
    details,
    user_id: ['content_damaged', 'share_use'].includes(action) ? 0 : 1,
    user_name: 'Mother',
    performed_at: '2026-11-23T05:00:00.000Z',
    object_type: type === 'acl' ? 'tag' : TYPES.includes(type) ? type : null,
    object_id: 'one',
  }
}

// The second tag has a number sign, which stands for the number in plural forms.
const TAGS: Record<string, string> = { t1: 'holiday', t2: 'C#' }
const nameOf: NameOf = (type, id) => (type === 'tag' ? TAGS[id] : undefined)
const say = (...entries: Entry[]) => plainSentence(deedsOf(entries)[0]!, nameOf)

const lake = { original_name: 'lake.jpg' }
const rule = { name: 'Como', then_tag_name: 'lakes' }
/** By action: an entry, and its sentences. */
const SENTENCES: Record<AuditAction, [details: Entry['details'], en: string, de: string]> = {
  user_login: [{}, 'Mother signed in', 'Mother hat sich angemeldet'],
  user_login_failed: [
    {},
    'Somebody failed to sign in as Mother',
    'Jemand konnte sich nicht als Mother anmelden',
  ],
  user_logout: [{}, 'Mother signed out', 'Mother hat sich abgemeldet'],
  session_terminate: [
    { user_name: 'Jonas' },
    'Mother signed Jonas out on a device',
    'Mother hat Jonas auf einem Gerät abgemeldet',
  ],
  token_reuse: [
    {},
    'A session of Mother was ended, because somebody may have stolen it',
    'Eine Sitzung von Mother wurde beendet, weil sie vielleicht gestohlen war',
  ],
  key_create: [
    { key_id: 1, name: 'Phone', scope: 'upload' },
    'Mother made the key Phone for an app',
    'Mother hat den Schlüssel Phone für eine App gemacht',
  ],
  key_end: [
    { key_id: 1, name: 'Phone', user_id: 2, user_name: 'Jonas' },
    'Mother ended the key Phone of Jonas',
    'Mother hat den Schlüssel Phone von Jonas beendet',
  ],
  user_create: [
    { name: 'Jonas' },
    'Mother added the person Jonas',
    'Mother hat für Jonas ein Konto angelegt',
  ],
  user_edit: [
    { fields: ['password'] },
    'Mother changed their own account',
    'Mother hat das eigene Konto geändert',
  ],
  user_password_reset: [
    { name: 'Jonas' },
    'Mother gave Jonas a new password',
    'Mother hat Jonas ein neues Passwort gegeben',
  ],
  user_role_change: [
    { name: 'Jonas' },
    'Mother changed what Jonas may do',
    'Mother hat geändert, was Jonas darf',
  ],
  user_block: [{ name: 'Jonas' }, 'Mother blocked Jonas', 'Mother hat Jonas gesperrt'],
  user_unblock: [
    { name: 'Jonas' },
    'Mother unblocked Jonas',
    'Mother hat die Sperre von Jonas aufgehoben',
  ],
  user_delete: [
    { name: 'Jonas' },
    'Mother deleted the account of Jonas',
    'Mother hat das Konto von Jonas gelöscht',
  ],
  file_create: [lake, 'Mother added lake.jpg', 'Mother hat lake.jpg hinzugefügt'],
  file_edit: [{ changes: {} }, 'Mother changed a photo', 'Mother hat ein Foto geändert'],
  file_replace: [
    { from: {}, to: lake },
    'Mother replaced lake.jpg with a new version',
    'Mother hat lake.jpg durch eine neue Fassung ersetzt',
  ],
  file_delete: [
    lake,
    'Mother moved lake.jpg to the trash',
    'Mother hat lake.jpg in den Papierkorb gelegt',
  ],
  file_restore: [
    lake,
    'Mother took lake.jpg out of the trash',
    'Mother hat lake.jpg aus dem Papierkorb geholt',
  ],
  file_permanent_delete: [
    lake,
    'Mother deleted lake.jpg for good',
    'Mother hat lake.jpg endgültig gelöscht',
  ],
  file_review: [
    { needs_review: { from: true, to: false } },
    'Mother marked a photo as reviewed',
    'Mother hat ein Foto als durchgesehen vermerkt',
  ],
  file_tag_add: [
    { tag_ids: ['t1', 'hidden', 't2'] },
    'Mother tagged a photo with holiday and C#',
    'Mother hat ein Foto mit holiday und C# verschlagwortet',
  ],
  file_tag_remove: [
    { tag_ids: ['hidden'] },
    'Mother removed tags from a photo',
    'Mother hat Schlagwörter von einem Foto entfernt',
  ],
  file_tag_replace: [
    { tag_ids: ['t1'] },
    'Mother replaced tags of a photo',
    'Mother hat Schlagwörter von einem Foto ersetzt',
  ],
  file_merge: [
    { tag_ids: [] },
    'Mother merged a copy into a photo',
    'Mother hat eine Kopie mit einem Foto vereint',
  ],
  tag_create: [
    { name: 'Como' },
    'Mother created the tag Como',
    'Mother hat das Schlagwort Como angelegt',
  ],
  tag_edit: [{ changes: {} }, 'Mother changed a tag', 'Mother hat ein Schlagwort geändert'],
  tag_delete: [
    { name: 'Como' },
    'Mother deleted the tag Como',
    'Mother hat das Schlagwort Como gelöscht',
  ],
  tag_merge: [
    { name: 'Como', into_name: 'lakes' },
    'Mother merged the tag Como into lakes',
    'Mother hat das Schlagwort Como mit lakes vereint',
  ],
  tag_rule_create: [
    { ...rule, is_active: true },
    'Mother created the rule “Como also adds lakes”',
    'Mother hat die Regel „Como fügt auch lakes hinzu“ angelegt',
  ],
  tag_rule_edit: [
    { ...rule, is_active: { from: true, to: false } },
    'Mother switched off the rule “Como also adds lakes”',
    'Mother hat die Regel „Como fügt auch lakes hinzu“ ausgeschaltet',
  ],
  tag_rule_delete: [
    { then_tag_name: 'lakes' },
    'Mother deleted a rule',
    'Mother hat eine Regel gelöscht',
  ],
  category_create: [
    { name: 'Places' },
    'Mother created the category Places',
    'Mother hat die Kategorie Places angelegt',
  ],
  category_edit: [
    { changes: {} },
    'Mother changed a category',
    'Mother hat eine Kategorie geändert',
  ],
  category_delete: [
    { name: 'Places' },
    'Mother deleted the category Places',
    'Mother hat die Kategorie Places gelöscht',
  ],
  pool_create: [
    { name: 'Alps' },
    'Mother created the album Alps',
    'Mother hat das Album Alps angelegt',
  ],
  pool_edit: [{ changes: {} }, 'Mother changed an album', 'Mother hat ein Album geändert'],
  pool_delete: [
    { name: 'Alps' },
    'Mother deleted the album Alps',
    'Mother hat das Album Alps gelöscht',
  ],
  file_pool_add: [
    { name: 'Alps', count: 12 },
    'Mother put 12 photos into the album Alps',
    'Mother hat 12 Fotos in das Album Alps gelegt',
  ],
  file_pool_remove: [
    { count: 1 },
    'Mother took 1 photo out of an album',
    'Mother hat 1 Foto aus einem Album genommen',
  ],
  file_pool_reorder: [
    { name: 'Alps', count: 3 },
    'Mother rearranged the album Alps',
    'Mother hat das Album Alps neu geordnet',
  ],
  acl_change: [
    { from: [], to: [] },
    'Mother changed who may see a tag',
    'Mother hat geändert, wer ein Schlagwort sehen darf',
  ],
  duplicate_dismiss: [
    {},
    'Mother said that two photos aren’t copies',
    'Mother hat zwei Fotos als keine Kopien vermerkt',
  ],
  duplicate_rescan: [
    { clusters: 2 },
    'Mother scanned for look-alikes',
    'Mother hat nach ähnlichen Fotos gesucht',
  ],
  archive_download: [
    { files: 5, bytes: 1 },
    'Mother downloaded 5 photos together',
    'Mother hat 5 Fotos zusammen heruntergeladen',
  ],
  share_create: [
    {
      ...{ share_id: 'one', title: null, pool_id: null, files: 5, follows: false },
      ...{ downloads: 'none', shows_names: false, may_upload: false, has_password: false },
      expires_at: null,
    },
    'Mother made a link for people without an account',
    'Mother hat einen Link für Leute ohne Konto angelegt',
  ],
  share_end: [
    { share_id: 'one', title: null, creator_id: 1 },
    'Mother ended a link',
    'Mother hat einen Link beendet',
  ],
  share_use: [
    { share_id: 'one', title: null, creator_id: 1, creator_name: 'Mother' },
    'The server showed what a link shows',
    'Der Server hat gezeigt, was ein Link zeigt',
  ],
  content_damaged: [
    lake,
    'The server found lake.jpg damaged',
    'Der Server hat lake.jpg beschädigt gefunden',
  ],
  operation_undo: [
    { operation: 5, undone: 1, kept: 0 },
    'Mother undid an earlier change',
    'Mother hat eine frühere Änderung zurückgenommen',
  ],
}

afterEach(() => {
  language.value = 'en'
})

describe('a sentence about an entry', () => {
  for (const [index, one] of LANGUAGES.entries()) {
    it(`says each action of the server, in ${one}`, () => {
      language.value = one
      for (const action of AUDIT_ACTIONS) {
        const [details, ...sentences] = SENTENCES[action]
        assert.equal(say(entry(action, details)), sentences[index])
      }
    })

    it(`says each action of several entries, in ${one}, with no place left empty`, () => {
      language.value = one
      for (const action of AUDIT_ACTIONS) {
        const [details] = SENTENCES[action]
        const two = say(entry(action, details), entry(action, details))
        assert.doesNotMatch(two, PLACE, action)
        assert.doesNotMatch(two, / # |undefined|null/, action)
      }
    })
  }

  it('invents nothing for an action that it does not know, or without details', () => {
    assert.equal(say(entry('moon_landing')), 'Mother: moon landing')
    for (const action of AUDIT_ACTIONS) assert.doesNotMatch(say(entry(action, null)), PLACE)
    assert.equal(say(entry('file_pool_add', null)), 'Mother put photos into an album')
    assert.equal(say(entry('file_tag_add', null)), 'Mother tagged a photo')
  })

  it('calls the file of a history this photo', () => {
    const group = { action: 'file_edit', entries: [entry('file_edit')] }
    assert.equal(wordingOf(group, nameOf, undefined, true).names.what, 'this photo')
  })

  it('says nothing of whose session it was if it was their own', () => {
    assert.equal(
      say(entry('session_terminate', { user_name: 'Mother' })),
      'Mother signed out on another device',
    )
  })
})

describe('a sentence about an operation', () => {
  it('counts, and tells photos from videos', () => {
    const added = (mime_type: string) => entry('file_create', { mime_type })
    const [photo, video] = [added('image/jpeg'), added('video/mp4')]
    assert.equal(say(photo, photo, video), 'Mother added 2 photos and 1 video')
    assert.equal(say(video, video), 'Mother added 2 videos')
    assert.equal(say(photo, photo), 'Mother added 2 photos')
    language.value = 'de'
    assert.equal(say(photo, photo, video), 'Mother hat 2 Fotos und 1 Video hinzugefügt')
  })

  it('names the tags only if they are the same for all', () => {
    const tagged = (...tag_ids: string[]) => entry('file_tag_add', { tag_ids })
    assert.equal(say(tagged('t1'), tagged('t1')), 'Mother tagged 2 photos with holiday')
    assert.equal(say(tagged('t1'), tagged('t2')), 'Mother tagged 2 photos')
  })

  it('says whether all were reviewed, or some were and others not', () => {
    const review = (to: boolean) => entry('file_review', { needs_review: { from: !to, to } })
    assert.equal(say(review(true), review(true)), 'Mother marked 2 photos as not reviewed')
    assert.equal(say(review(true), review(false)), 'Mother changed which of 2 photos are reviewed')
  })

  it('leaves out what only follows, and says the rest', () => {
    const merge = [entry('file_merge'), entry('file_delete', lake)]
    assert.equal(say(...merge, ...merge, ...merge, ...merge), 'Mother merged 4 copies')
    const groups = groupsOf([...merge, entry('duplicate_dismiss')])
    assert.deepEqual(
      groups.map(({ action, entries }) => [action, entries.length]),
      [
        ['file_merge', 1],
        ['duplicate_dismiss', 1],
      ],
    )
  })

  it('quotes what was undone, or done again, if the page has it', () => {
    const edit = entry('file_edit', {}, 1)
    const undo = entry('operation_undo', { operation: 1 }, 2)
    const redo = entry('operation_undo', { operation: 2 }, 3)
    const last = entry('operation_undo', { operation: 3 }, 4)
    const deeds = deedsOf([last, redo, undo, edit])
    const sentences = deeds.map((deed) => {
      const { sentence, names } = wordingOf(
        groupsOf(deed.entries)[0]!,
        nameOf,
        undoneOf(deed, deeds),
      )
      return sentence.replace('{undone}', names.undone!)
    })
    assert.deepEqual(sentences, [
      '{who} undid “Mother changed a photo”',
      '{who} redid “Mother changed a photo”',
      '{who} undid “Mother changed a photo”',
      '{who} changed {what}',
    ])
    assert.equal(undoneOf(deeds[0]!, deeds.slice(0, 3)), undefined)
  })
})
