import { text } from '../base/text.ts'

const en = {
  title: 'About',
  summary: 'A home of your own for the family’s photos and videos, found by their tags.',
  version: (version: string) => `Version ${version}`,
  runsOn: 'Runs on',
  files: 'Photos and videos',
  space: 'Space',
  taken: (taken: string) => `${taken} used`,
  takenAndFree: (taken: string, free: string) => `${taken} used, ${free} free`,
  store: 'Photos are stored in',
  storeProblem: {
    away: (since: string) => `It has not answered since ${since}. Photos can’t be opened or added.`,
    refused: (since: string) =>
      `It has refused the server since ${since}: are bucket and key right?`,
    foreign: (since: string) => `It has the photos of another library (since ${since}).`,
  },
  underWay: 'In progress',
  jobs: (jobs: string) => `${jobs} photos to read`,
  lastBackup: 'Last backup',
  noBackup: 'None yet',
  backupProblem: {
    failed: 'The last backup failed. The server’s log says why.',
    incomplete: 'Some photos were missing or damaged. The server’s log names them.',
    same_disk: 'It is on the same disk, so it protects only against deletion.',
  },
  lastScrub: 'Photos last checked',
  noScrub: 'Not yet',
  notHere: 'Not included',
  missing: 'Place names, faces, automatic upload from phones.',
  forProgrammers: 'For programmers',
  docs: 'API documentation',
  document: 'API description',
  health: 'Server health',
}

const de: typeof en = {
  title: 'Über Tagstead',
  summary: 'Ein eigenes Zuhause für die Fotos und Videos der Familie, geordnet durch Schlagwörter.',
  version: (version) => `Version ${version}`,
  runsOn: 'Läuft auf',
  files: 'Fotos und Videos',
  space: 'Platz',
  taken: (taken) => `${taken} belegt`,
  takenAndFree: (taken, free) => `${taken} belegt, ${free} frei`,
  store: 'Die Fotos liegen in',
  storeProblem: {
    away: (since) =>
      `Antwortet seit ${since} nicht: Fotos lassen sich weder öffnen noch hinzufügen.`,
    refused: (since) => `Weist den Server seit ${since} ab: Stimmen Bucket und Schlüssel?`,
    foreign: (since) => `Dort liegen die Fotos einer anderen Bibliothek (seit ${since}).`,
  },
  underWay: 'In Arbeit',
  jobs: (jobs) => `${jobs} Fotos werden noch gelesen`,
  lastBackup: 'Letzte Sicherung',
  noBackup: 'Es gibt noch keine',
  backupProblem: {
    failed: 'Der letzte Versuch ist misslungen: warum, steht im Protokoll des Servers.',
    incomplete: 'Hier fehlten Fotos oder waren beschädigt: sie stehen im Protokoll des Servers.',
    same_disk: 'Auf derselben Platte: sie schützt nur vor dem Löschen.',
  },
  lastScrub: 'Fotos zuletzt geprüft',
  noScrub: 'Noch nicht',
  notHere: 'Gibt es nicht',
  missing: 'Ortsnamen, Gesichter, automatisches Hochladen vom Telefon.',
  forProgrammers: 'Für Programmierer',
  docs: 'Die API, erklärt',
  document: 'Die API, für Programme',
  health: 'Geht es dem Server gut?',
}

export const about = text({ en, de })
