// What Google writes in the language of the account. Where a word was seen is behind it, as an issue or change of a
// program that reads Takeouts; `untried` words are translations that nobody has reported.

const [GPTH, NEO] = [
  'TheLastGimbus/GooglePhotosTakeoutHelper',
  'Xentraxx/GooglePhotosTakeoutHelper_Neo',
]

/** What stands behind the name of an edited copy, before its extension. */
export const EDITED: [ending: string, language: string, source: string][] = [
  ['-edited', 'en', `${GPTH}#12`],
  ['-effects', 'en', `${GPTH}#12`],
  ['-smile', 'en', 'untried'],
  ['-mix', 'en', 'untried'],
  ['-bearbeitet', 'de', 'mattwilson1024/google-photos-exif#49'],
  ['-modifié', 'fr', 'garzj/google-photos-migrate#5'],
  ['-ha editado', 'es', `${NEO}#29`],
  ['-editado', 'pt', 'untried'],
  ['-editat', 'ca', 'simulot/immich-go#1418'],
  ['-modificato', 'it', 'untried'],
  ['-bewerkt', 'nl', 'untried'],
  ['-edytowane', 'pl', `${GPTH}#12`],
  ['-redigerad', 'sv', 'untried'],
  ['-upraveno', 'cs', 'untried'],
  ['-編集済み', 'ja', 'untried'],
]

/** Names of the file that describes an album. */
export const ALBUM_FILES: [name: string, language: string, source: string][] = [
  ['metadata.json', 'en', `${GPTH}#10`],
  ['Metadaten.json', 'de', 'inthreedee/photoprism-transfer-album#5'],
  ['métadonnées.json', 'fr', 'docs of simulot/immich-go'],
  ['metadatos.json', 'es', 'docs of simulot/immich-go'],
  ['metadades.json', 'ca', 'docs of simulot/immich-go'],
  ['metadati.json', 'it', 'tests of simulot/immich-go'],
  ['metadáta.json', 'sk', 'tests of simulot/immich-go'],
  ['метаданни.json', 'bg', 'simulot/immich-go#791'],
  ['metadados.json', 'pt', 'untried'],
  ['metagegevens.json', 'nl', 'untried'],
  ['metadane.json', 'pl', 'untried'],
  ['метаданные.json', 'ru', 'untried'],
  ['メタデータ.json', 'ja', 'untried'],
]

/** Names of folders that hold all pictures of a year, with # for the year. */
export const YEARS: [name: string, language: string, source: string][] = [
  ['Photos from #', 'en', `${GPTH}#30`],
  ['Fotos von #', 'de', `${GPTH}#318`],
  ['Photos de #', 'fr', `${GPTH}#318`],
  ['Fotos de #', 'es', `${GPTH}#318`],
  ['Fotos del #', 'es', 'untried'],
  ['Foto dal #', 'it', 'untried'],
  ['Foto del #', 'it', 'untried'],
  ["Foto's uit #", 'nl', 'untried'],
  ["Foto's van #", 'nl', 'untried'],
  ['Zdjęcia z #', 'pl', 'untried'],
  ['Zdjęcia z roku #', 'pl', 'untried'],
  ['Foton från #', 'sv', 'untried'],
  ['Fotky z roku #', 'cs', 'untried'],
  ['Фото за # год', 'ru', 'untried'],
  ['Снимки от #', 'bg', 'untried'],
  ['#年の写真', 'ja', 'untried'],
  ['# 年的照片', 'zh', 'untried'],
]
