import type { en } from '../en/about.ts'

export const de: typeof en = {
  title: 'Über Tagstead',
  summary: 'Ein eigenes Zuhause für die Bilder und Filme der Familie, geordnet durch Schlagwörter.',
  version: (version) => `Version ${version}`,
  runsOn: 'Läuft auf',
  files: 'Dateien',
  space: 'Platz',
  taken: (taken) => `${taken} belegt`,
  takenAndFree: (taken, free) => `${taken} belegt, ${free} frei`,
  underWay: 'In Arbeit',
  jobs: (jobs) => `${jobs} Bilder werden noch gelesen`,
  lastBackup: 'Letzte Sicherung',
  noBackup: 'Es gibt noch keine',
  backupProblem: {
    failed: 'Der letzte Versuch ist misslungen: warum, steht im Protokoll des Servers.',
    incomplete: 'Hier fehlten Bilder oder waren beschädigt: sie stehen im Protokoll des Servers.',
    same_disk: 'Auf derselben Platte: sie schützt nur vor dem Löschen.',
  },
  lastScrub: 'Dateien zuletzt geprüft',
  noScrub: 'Noch nicht',
  notHere: 'Gibt es nicht',
  missing: 'Ortsnamen, Gesichter, automatisches Hochladen vom Telefon.',
  forProgrammers: 'Für Programmierer',
  docs: 'Die API, erklärt',
  document: 'Die API, für Programme',
  health: 'Geht es dem Server gut?',
}
