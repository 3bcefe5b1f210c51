import { plural, text } from '../base/text.ts'

/** What a sentence is about, besides names. */
interface Said {
  /** How many entries it is about. */
  count: number
  /** Whether the one thing that it is about has a name. */
  isNamed: boolean
  /** Of albums and downloads: how many photos; null if unknown. */
  photos: number | null
  /** Of new photos and videos: how many videos are among them. */
  videos: number
  /** What was switched on or off; null if some were switched on and others off. */
  isOn: boolean | null
  /** Whether it was done again, because an undo was undone. */
  isRedo: boolean
  /** Which of these names there are. */
  tags: boolean
  other: boolean
  undone: boolean
}

/**
 * A sentence without its full stop, with places for names: `{who}` did it, `{what}` is the one thing that it was done
 * to, and `{dative}` the same where German needs another case. `{tags}` are the names of the tags, `{other}` is the
 * other tag of a rule or a merge, or whose session it was, and `{undone}` the sentence about what was undone.
 */
type Sentence = (said: Said) => string

const photos = (count: number) => plural(count, { one: '# photo', other: '# photos' })
const videos = (count: number) => plural(count, { one: '# video', other: '# videos' })

const say =
  (one: string, other = one): Sentence =>
  ({ count }) =>
    `{who} ${plural(count, { one, other })}`

const sayOf =
  (verb: string, kind: string, many: string, end = ''): Sentence =>
  ({ count, isNamed }) => {
    const one = isNamed ? `the ${kind} {what}` : /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`
    return `{who} ${verb} ${plural(count, { one, other: `# ${many}` })}${end}`
  }

/** Says what was done to an album, of which there may be several. */
const sayOfAlbum =
  (verb: string, preposition: string): Sentence =>
  (said) => {
    const what = said.count > 1 || said.photos === null ? 'photos' : photos(said.photos)
    return sayOf(`${verb} ${what} ${preposition}`, 'album', 'albums')(said)
  }

const ruleOf = (verb: string): Sentence =>
  function sentence({ count, other, isNamed }) {
    if (count > 1 || !isNamed || !other) {
      return `{who} ${verb} ${plural(count, { one: 'a rule', other: '# rules' })}`
    }
    return `{who} ${verb} the rule “{what} also adds {other}”`
  }

/** By the API's names of the actions. */
const sentences: Record<string, Sentence> = {
  user_login: say('signed in'),
  user_login_failed: () => 'Somebody failed to sign in as {who}',
  user_logout: say('signed out'),
  session_terminate: ({ other }) =>
    other ? `{who} signed {other} out on a device` : '{who} signed out on another device',
  token_reuse: () => 'A session of {who} was ended, because somebody may have stolen it',
  key_create: say('made the key {what} for an app', 'made # keys for apps'),
  key_end: ({ other }) =>
    other ? '{who} ended the key {what} of {other}' : '{who} ended the key {what}',
  user_create: say('added the person {what}', 'added # people'),
  user_edit: say('changed their own account'),
  user_password_reset: say('gave {what} a new password', 'gave # people new passwords'),
  user_role_change: say('changed what {what} may do', 'changed what # people may do'),
  user_block: say('blocked {what}', 'blocked # people'),
  user_unblock: say('unblocked {what}', 'unblocked # people'),
  user_delete: say('deleted the account of {what}', 'deleted # accounts'),
  file_create: ({ count, videos: films }) => {
    if (count === 1) return '{who} added {what}'
    const pictures = count - films
    if (films === 0) return `{who} added ${photos(pictures)}`
    if (pictures === 0) return `{who} added ${videos(films)}`
    return `{who} added ${photos(pictures)} and ${videos(films)}`
  },
  file_edit: say('changed {what}', 'changed # photos'),
  file_replace: say('replaced {what} with a new version', 'replaced # photos with new versions'),
  file_delete: say('moved {what} to the trash', 'moved # photos to the trash'),
  file_restore: say('took {what} out of the trash', 'took # photos out of the trash'),
  file_permanent_delete: say('deleted {what} for good', 'deleted # photos for good'),
  file_review: (said) => {
    if (said.isOn === null) return say('changed which of # photos are reviewed')(said)
    const as = said.isOn ? 'not reviewed' : 'reviewed'
    return say(`marked {what} as ${as}`, `marked # photos as ${as}`)(said)
  },
  file_tag_add: (said) => {
    const tags = said.tags ? ' with {tags}' : ''
    return say(`tagged {what}${tags}`, `tagged # photos${tags}`)(said)
  },
  file_tag_remove: (said) => {
    const tags = said.tags ? '{tags}' : 'tags'
    return say(`removed ${tags} from {what}`, `removed ${tags} from # photos`)(said)
  },
  file_tag_replace: say('replaced tags of {what}', 'replaced tags of # photos'),
  file_merge: say('merged a copy into {what}', 'merged # copies'),
  tag_create: sayOf('created', 'tag', 'tags'),
  tag_edit: sayOf('changed', 'tag', 'tags'),
  tag_merge: (said) => sayOf('merged', 'tag', 'tags', said.other ? ' into {other}' : '')(said),
  tag_delete: sayOf('deleted', 'tag', 'tags'),
  tag_rule_create: ruleOf('created'),
  tag_rule_edit: (said) => {
    const verbs = { true: 'switched on', false: 'switched off', null: 'changed' }
    return ruleOf(verbs[`${said.isOn}`])(said)
  },
  tag_rule_delete: ruleOf('deleted'),
  category_create: sayOf('created', 'category', 'categories'),
  category_edit: sayOf('changed', 'category', 'categories'),
  category_delete: sayOf('deleted', 'category', 'categories'),
  pool_create: sayOf('created', 'album', 'albums'),
  pool_edit: sayOf('changed', 'album', 'albums'),
  pool_delete: sayOf('deleted', 'album', 'albums'),
  file_pool_add: sayOfAlbum('put', 'into'),
  file_pool_remove: sayOfAlbum('took', 'out of'),
  file_pool_reorder: sayOf('rearranged', 'album', 'albums'),
  acl_change: say('changed who may see {what}', 'changed who may see # things'),
  duplicate_dismiss: say(
    'said that two photos aren’t copies',
    'said that the photos of # pairs aren’t copies',
  ),
  duplicate_rescan: say('scanned for look-alikes'),
  archive_download: ({ photos: files }) =>
    files === null
      ? '{who} downloaded photos together'
      : `{who} downloaded ${photos(files)} together`,
  share_create: say('made a link for people without an account'),
  share_end: say('ended a link'),
  share_use: say('showed what a link shows'),
  content_damaged: say('found {what} damaged', 'found # photos damaged'),
  operation_undo: ({ undone, isRedo }) => {
    if (undone) return isRedo ? `{who} redid “{undone}”` : `{who} undid “{undone}”`
    return '{who} undid an earlier change'
  },
}

/** The actions to choose from, by the API's names. */
const actions: Record<string, string> = {
  user_login: 'Signed in',
  user_login_failed: 'Sign-in failed',
  user_logout: 'Signed out',
  session_terminate: 'Session ended',
  token_reuse: 'Stolen session ended',
  key_create: 'Key made',
  key_end: 'Key ended',
  user_create: 'Person added',
  user_edit: 'Own account changed',
  user_password_reset: 'New password given',
  user_role_change: 'Rights changed',
  user_block: 'Person blocked',
  user_unblock: 'Person unblocked',
  user_delete: 'Person deleted',
  file_create: 'Added',
  file_edit: 'Changed',
  file_replace: 'Content replaced',
  file_delete: 'Moved to the trash',
  file_restore: 'Restored',
  file_permanent_delete: 'Deleted for good',
  file_review: 'Review status changed',
  file_tag_add: 'Tagged',
  file_tag_remove: 'Tags removed',
  file_tag_replace: 'Tag replaced by another',
  file_merge: 'Duplicate merged',
  tag_create: 'Tag created',
  tag_edit: 'Tag changed',
  tag_merge: 'Tags merged',
  tag_delete: 'Tag deleted',
  tag_rule_create: 'Rule created',
  tag_rule_edit: 'Rule changed',
  tag_rule_delete: 'Rule deleted',
  category_create: 'Category created',
  category_edit: 'Category changed',
  category_delete: 'Category deleted',
  pool_create: 'Album created',
  pool_edit: 'Album changed',
  pool_delete: 'Album deleted',
  file_pool_add: 'Added to an album',
  file_pool_remove: 'Removed from an album',
  file_pool_reorder: 'Album rearranged',
  acl_change: 'Sharing changed',
  duplicate_dismiss: 'Marked as not duplicates',
  duplicate_rescan: 'Scanned for look-alikes',
  archive_download: 'Downloaded together',
  share_create: 'Link made',
  share_end: 'Link ended',
  share_use: 'Link used',
  content_damaged: 'Found damaged',
  operation_undo: 'Undone',
}

const en = {
  title: 'Activity',
  history: 'History',
  who: 'Who',
  everybody: 'Everybody',
  server: 'The server',
  userOf: (id: string) => `Person ${id}`,
  what: 'What',
  everything: 'Everything',
  from: 'From',
  to: 'To',
  anyDay: 'Any day',
  each: 'Show each',
  redo: 'Redo',
  redone: 'Redone',
  nothing: 'No entries match.',
  pages: 'Pages',
  range: (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
  newer: 'Newer',
  older: 'Older',
  notUndone:
    'It was already undone, is still running, or took back a merge of photos. You can merge those again.',
  nothingUndone: 'Nothing could be undone: everything has changed since.',
  actions,
  sentences,
  objects: {
    file: 'a photo',
    tag: 'a tag',
    category: 'a category',
    pool: 'an album',
  } as Record<string, string>,
  /** The file whose history is shown. */
  thisFile: 'this photo',
  dative: { file: 'a photo', thisFile: 'this photo' },
  may: (name: string, mayEdit: boolean) => (mayEdit ? `${name} may edit` : `${name} may see`),
  nobody: 'nobody else by name',
  /** An album without a name is one that may not be named. */
  through: (album: string | null, since: string): string =>
    `Shared through ${album === null ? 'an album' : `the album ${album}`} since ${since}.`,
  change: (field: string, from: string, to: string) => `${field}: ${from} → ${to}`,
  none: 'none',
  yes: 'yes',
  no: 'no',
  fields: {
    name: 'name',
    original_name: 'name',
    password: 'password',
    notes: 'note',
    metadata: 'metadata',
    content_datetime: 'date',
    date_precision: 'what is known of the date',
    rotation: 'rotation',
    companion_of: 'film of the picture',
    is_public: 'seen by everybody',
    shares_files: 'shares what is in it',
    color: 'colour',
    category_id: 'category',
    sort_key: 'order',
    sort_order: 'direction',
    is_admin: 'admin',
    can_create: 'may add photos',
    is_active: 'active',
    needs_review: 'needs review',
  } as Record<string, string>,
  counts: {
    files_changed: (count) => plural(count, { one: '# photo', other: '# photos' }),
    file_count: (count) => plural(count, { one: '# photo', other: '# photos' }),
    sessions_ended: (count) =>
      plural(count, { one: 'signed out on # device', other: 'signed out on # devices' }),
    keys_ended: (count) => plural(count, { one: '# key ended', other: '# keys ended' }),
    undone: (count) => plural(count, { one: '# thing restored', other: '# things restored' }),
    kept: (count) => plural(count, { one: '# left unchanged', other: '# left unchanged' }),
    clusters: (count) => plural(count, { one: '# group', other: '# groups' }),
  } as Record<string, (count: number) => string>,
}

const photosInGerman = (count: number) => plural(count, { one: '# Foto', other: '# Fotos' })
const videosInGerman = (count: number) => plural(count, { one: '# Video', other: '# Videos' })

const sayInGerman =
  (one: string, other = one): Sentence =>
  ({ count }) =>
    `{who} hat ${plural(count, { one, other })}`

/** `the` and `a` have their articles in the right case. */
const sayOfInGerman =
  (the: string, a: string, many: string, verb: string): Sentence =>
  ({ count, isNamed }) =>
    `{who} hat ${plural(count, { one: isNamed ? `${the} {what}` : a, other: `# ${many}` })} ${verb}`

const tagInGerman = (verb: string) =>
  sayOfInGerman('das Schlagwort', 'ein Schlagwort', 'Schlagwörter', verb)
const categoryInGerman = (verb: string) =>
  sayOfInGerman('die Kategorie', 'eine Kategorie', 'Kategorien', verb)
const albumInGerman = (verb: string) => sayOfInGerman('das Album', 'ein Album', 'Alben', verb)

const ruleInGerman = (verb: string): Sentence =>
  function sentence({ count, other, isNamed }) {
    if (count > 1 || !isNamed || !other) {
      return `{who} hat ${plural(count, { one: 'eine Regel', other: '# Regeln' })} ${verb}`
    }
    return `{who} hat die Regel „{what} fügt auch {other} hinzu“ ${verb}`
  }

const inAlbumInGerman =
  (preposition: string, [the, a, many]: [string, string, string], verb: string): Sentence =>
  ({ count, isNamed, photos: files }) => {
    const what = count > 1 || files === null ? 'Fotos' : photosInGerman(files)
    const where = plural(count, { one: isNamed ? `${the} {what}` : a, other: `# ${many}` })
    return `{who} hat ${what} ${preposition} ${where} ${verb}`
  }

const sentencesInGerman: Record<string, Sentence> = {
  user_login: sayInGerman('sich angemeldet'),
  user_login_failed: () => 'Jemand konnte sich nicht als {who} anmelden',
  user_logout: sayInGerman('sich abgemeldet'),
  session_terminate: ({ other }) =>
    other
      ? `{who} hat {other} auf einem Gerät abgemeldet`
      : '{who} hat sich auf einem anderen Gerät abgemeldet',
  token_reuse: () => 'Eine Sitzung von {who} wurde beendet, weil sie vielleicht gestohlen war',
  key_create: sayInGerman('den Schlüssel {what} für eine App gemacht', '# Schlüssel gemacht'),
  key_end: ({ other }) =>
    other
      ? '{who} hat den Schlüssel {what} von {other} beendet'
      : '{who} hat den Schlüssel {what} beendet',
  user_create: sayInGerman('für {what} ein Konto angelegt', '# Konten angelegt'),
  user_edit: sayInGerman('das eigene Konto geändert'),
  user_password_reset: sayInGerman(
    '{what} ein neues Passwort gegeben',
    '# Personen neue Passwörter gegeben',
  ),
  user_role_change: sayInGerman('geändert, was {what} darf', 'geändert, was # Personen dürfen'),
  user_block: sayInGerman('{what} gesperrt', '# Personen gesperrt'),
  user_unblock: sayInGerman('die Sperre von {what} aufgehoben', '# Sperren aufgehoben'),
  user_delete: sayInGerman('das Konto von {what} gelöscht', '# Konten gelöscht'),
  file_create: ({ count, videos: films }) => {
    if (count === 1) return '{who} hat {what} hinzugefügt'
    const pictures = count - films
    if (films === 0) return `{who} hat ${photosInGerman(pictures)} hinzugefügt`
    if (pictures === 0) return `{who} hat ${videosInGerman(films)} hinzugefügt`
    return `{who} hat ${photosInGerman(pictures)} und ${videosInGerman(films)} hinzugefügt`
  },
  file_edit: sayInGerman('{what} geändert', '# Fotos geändert'),
  file_replace: sayInGerman(
    '{what} durch eine neue Fassung ersetzt',
    '# Fotos durch neue Fassungen ersetzt',
  ),
  file_delete: sayInGerman('{what} in den Papierkorb gelegt', '# Fotos in den Papierkorb gelegt'),
  file_restore: sayInGerman(
    '{what} aus dem Papierkorb geholt',
    '# Fotos aus dem Papierkorb geholt',
  ),
  file_permanent_delete: sayInGerman('{what} endgültig gelöscht', '# Fotos endgültig gelöscht'),
  file_review: (said) => {
    if (said.isOn === null)
      return sayInGerman('geändert, welche von # Fotos durchgesehen sind')(said)
    const as = said.isOn ? 'als nicht durchgesehen vermerkt' : 'als durchgesehen vermerkt'
    return sayInGerman(`{what} ${as}`, `# Fotos ${as}`)(said)
  },
  file_tag_add: (said) => {
    const tags = said.tags ? ' mit {tags}' : ''
    return sayInGerman(`{what}${tags} verschlagwortet`, `# Fotos${tags} verschlagwortet`)(said)
  },
  file_tag_remove: (said) => {
    const tags = said.tags ? '{tags}' : 'Schlagwörter'
    return sayInGerman(`${tags} von {dative} entfernt`, `${tags} von # Fotos entfernt`)(said)
  },
  file_tag_replace: sayInGerman(
    'Schlagwörter von {dative} ersetzt',
    'Schlagwörter von # Fotos ersetzt',
  ),
  file_merge: sayInGerman('eine Kopie mit {dative} vereint', '# Kopien vereint'),
  tag_create: tagInGerman('angelegt'),
  tag_edit: tagInGerman('geändert'),
  tag_merge: (said) => tagInGerman(said.other ? `mit {other} vereint` : 'vereint')(said),
  tag_delete: tagInGerman('gelöscht'),
  tag_rule_create: ruleInGerman('angelegt'),
  tag_rule_edit: (said) => {
    const verbs = { true: 'eingeschaltet', false: 'ausgeschaltet', null: 'geändert' }
    return ruleInGerman(verbs[`${said.isOn}`])(said)
  },
  tag_rule_delete: ruleInGerman('gelöscht'),
  category_create: categoryInGerman('angelegt'),
  category_edit: categoryInGerman('geändert'),
  category_delete: categoryInGerman('gelöscht'),
  pool_create: albumInGerman('angelegt'),
  pool_edit: albumInGerman('geändert'),
  pool_delete: albumInGerman('gelöscht'),
  file_pool_add: inAlbumInGerman('in', ['das Album', 'ein Album', 'Alben'], 'gelegt'),
  file_pool_remove: inAlbumInGerman('aus', ['dem Album', 'einem Album', 'Alben'], 'genommen'),
  file_pool_reorder: albumInGerman('neu geordnet'),
  acl_change: sayInGerman('geändert, wer {what} sehen darf', 'geändert, wer # Dinge sehen darf'),
  duplicate_dismiss: sayInGerman(
    'zwei Fotos als keine Kopien vermerkt',
    '# Paare als keine Kopien vermerkt',
  ),
  duplicate_rescan: sayInGerman('nach ähnlichen Fotos gesucht'),
  archive_download: ({ photos: files }) =>
    `{who} hat ${files === null ? 'Fotos' : photosInGerman(files)} zusammen heruntergeladen`,
  share_create: sayInGerman('einen Link für Leute ohne Konto angelegt'),
  share_end: sayInGerman('einen Link beendet'),
  share_use: sayInGerman('gezeigt, was ein Link zeigt'),
  content_damaged: sayInGerman('{what} beschädigt gefunden', '# Fotos beschädigt gefunden'),
  operation_undo: ({ undone, isRedo }) => {
    if (!undone) return '{who} hat eine frühere Änderung zurückgenommen'
    return isRedo ? `{who} hat wiederholt: „{undone}“` : `{who} hat zurückgenommen: „{undone}“`
  },
}

const actionsInGerman: Record<string, string> = {
  user_login: 'Angemeldet',
  user_login_failed: 'Anmeldung gescheitert',
  user_logout: 'Abgemeldet',
  session_terminate: 'Sitzung beendet',
  token_reuse: 'Gestohlene Sitzung beendet',
  key_create: 'Schlüssel gemacht',
  key_end: 'Schlüssel beendet',
  user_create: 'Person hinzugefügt',
  user_edit: 'Eigenes Konto geändert',
  user_password_reset: 'Neues Passwort vergeben',
  user_role_change: 'Rechte geändert',
  user_block: 'Gesperrt',
  user_unblock: 'Nicht mehr gesperrt',
  user_delete: 'Person gelöscht',
  file_create: 'Hinzugefügt',
  file_edit: 'Geändert',
  file_replace: 'Inhalt ersetzt',
  file_delete: 'In den Papierkorb gelegt',
  file_restore: 'Wiederhergestellt',
  file_permanent_delete: 'Endgültig gelöscht',
  file_review: 'Durchgesehen oder nicht',
  file_tag_add: 'Verschlagwortet',
  file_tag_remove: 'Schlagwörter entfernt',
  file_tag_replace: 'Schlagwort durch ein anderes ersetzt',
  file_merge: 'Duplikat zusammengeführt',
  tag_create: 'Schlagwort angelegt',
  tag_edit: 'Schlagwort geändert',
  tag_merge: 'Schlagwörter zusammengeführt',
  tag_delete: 'Schlagwort gelöscht',
  tag_rule_create: 'Regel angelegt',
  tag_rule_edit: 'Regel geändert',
  tag_rule_delete: 'Regel gelöscht',
  category_create: 'Kategorie angelegt',
  category_edit: 'Kategorie geändert',
  category_delete: 'Kategorie gelöscht',
  pool_create: 'Album angelegt',
  pool_edit: 'Album geändert',
  pool_delete: 'Album gelöscht',
  file_pool_add: 'In ein Album gelegt',
  file_pool_remove: 'Aus einem Album genommen',
  file_pool_reorder: 'Album geordnet',
  acl_change: 'Anders geteilt',
  duplicate_dismiss: 'Keine Duplikate',
  duplicate_rescan: 'Ähnliche Fotos gesucht',
  archive_download: 'Zusammen heruntergeladen',
  share_create: 'Link angelegt',
  share_end: 'Link beendet',
  share_use: 'Link benutzt',
  content_damaged: 'Beschädigt gefunden',
  operation_undo: 'Rückgängig gemacht',
}

const de: typeof en = {
  title: 'Protokoll',
  history: 'Was damit geschah',
  who: 'Wer',
  everybody: 'Alle',
  server: 'Der Server',
  userOf: (id) => `Person ${id}`,
  what: 'Was',
  everything: 'Alles',
  from: 'Von',
  to: 'Bis',
  anyDay: 'Jeder Tag',
  each: 'Einzeln zeigen',
  redo: 'Wiederholen',
  redone: 'Wiederholt',
  nothing: 'Solche Einträge gibt es nicht.',
  pages: 'Seiten',
  range: (first, last, total) => `${first}–${last} von ${total}`,
  newer: 'Neuere',
  older: 'Ältere',
  notUndone:
    'Es wurde schon rückgängig gemacht, ist noch nicht zu Ende oder hat Zusammengeführtes getrennt; das kannst du neu zusammenführen.',
  nothingUndone: 'Nichts ließ sich rückgängig machen: alles wurde seither geändert.',
  actions: actionsInGerman,
  sentences: sentencesInGerman,
  objects: {
    file: 'ein Foto',
    tag: 'ein Schlagwort',
    category: 'eine Kategorie',
    pool: 'ein Album',
  },
  thisFile: 'dieses Foto',
  dative: { file: 'einem Foto', thisFile: 'diesem Foto' },
  may: (name, mayEdit) => (mayEdit ? `${name} darf bearbeiten` : `${name} darf sehen`),
  nobody: 'sonst niemand mit Namen',
  through: (album, since) =>
    `Geteilt durch ${album === null ? 'ein Album' : `das Album ${album}`}, seit ${since}.`,
  change: (field, from, to) => `${field}: ${from} → ${to}`,
  none: 'nichts',
  yes: 'ja',
  no: 'nein',
  fields: {
    name: 'Name',
    original_name: 'Name',
    password: 'Passwort',
    notes: 'Notiz',
    metadata: 'Weiteres',
    content_datetime: 'Datum',
    date_precision: 'was vom Datum bekannt ist',
    rotation: 'Drehung',
    companion_of: 'Film zum Bild',
    is_public: 'für alle sichtbar',
    shares_files: 'gibt seinen Inhalt frei',
    color: 'Farbe',
    category_id: 'Kategorie',
    sort_key: 'Reihenfolge',
    sort_order: 'Richtung',
    is_admin: 'Admin',
    can_create: 'darf Fotos hinzufügen',
    is_active: 'aktiv',
    needs_review: 'durchzusehen',
  },
  counts: {
    files_changed: (count) => plural(count, { one: '# Foto', other: '# Fotos' }),
    file_count: (count) => plural(count, { one: '# Foto', other: '# Fotos' }),
    sessions_ended: (count) =>
      plural(count, { one: '# Sitzung beendet', other: '# Sitzungen beendet' }),
    keys_ended: (count) =>
      plural(count, { one: '# Schlüssel beendet', other: '# Schlüssel beendet' }),
    undone: (count) => plural(count, { one: '# wiederhergestellt', other: '# wiederhergestellt' }),
    kept: (count) => plural(count, { one: '# unverändert', other: '# unverändert' }),
    clusters: (count) => plural(count, { one: '# Gruppe', other: '# Gruppen' }),
  },
}

export const audit = text({ en, de })
