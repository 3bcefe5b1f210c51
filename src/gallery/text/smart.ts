import { plural, text } from '../base/text.ts'

const en = {
  keepTitle: 'Keep this search as an album',
  keepIt: 'Create the album',
  keepHint: 'The album fills itself with whatever matches, now and later.',
  nameNotKept: (name: string) => `The name “${name}” is left out.`,
  fills: 'Fills itself with',
  everything: 'everything',
  fillsForYou: 'This album fills itself. You see the part of it that you may see.',
  change: 'Change the search',
  changing: (name: string) => `Choose what “${name}” fills itself with.`,
  save: 'Save the search',
  isChanged: (name: string) => `“${name}” fills itself with this now`,
  empty: 'Nothing matches yet',
  emptyHint: 'The album fills itself as soon as a photo matches its search.',
  isSmart: 'fills itself',
  ownPart: 'This album shares no photos: in it, each person sees those that they may see anyway.',
  quoted: (name: string) => `“${name}”`,
  named: (count: number, names: string) =>
    plural(count, {
      one: `The album ${names} fills itself by it and will find less.`,
      other: `# albums fill themselves by it and will find less: ${names}.`,
    }),
}

const de: typeof en = {
  keepTitle: 'Diese Suche als Album behalten',
  keepIt: 'Album anlegen',
  keepHint: 'Das Album füllt sich selbst mit allem, was passt, jetzt und später.',
  nameNotKept: (name) => `Der Name „${name}“ bleibt weg.`,
  fills: 'Füllt sich mit',
  everything: 'allem',
  fillsForYou: 'Dieses Album füllt sich selbst. Du siehst davon, was du sehen darfst.',
  change: 'Suche ändern',
  changing: (name) => `Wähle, womit sich „${name}“ füllt.`,
  save: 'Suche speichern',
  isChanged: (name) => `„${name}“ füllt sich jetzt damit`,
  empty: 'Noch passt nichts',
  emptyHint: 'Das Album füllt sich, sobald ein Foto zu seiner Suche passt.',
  isSmart: 'füllt sich selbst',
  ownPart: 'Dieses Album teilt keine Fotos: Alle sehen darin, was sie ohnehin sehen dürfen.',
  quoted: (name) => `„${name}“`,
  named: (count, names) =>
    plural(count, {
      one: `Das Album ${names} füllt sich danach und wird weniger finden.`,
      other: `# Alben füllen sich danach und werden weniger finden: ${names}.`,
    }),
}

export const smart = text({ en, de })
