import { text } from '../base/text.ts'

const en = {
  label: 'Slideshow',
  previous: 'Previous',
  next: 'Next',
  pause: 'Pause',
  resume: 'Continue',
  pace: (seconds: string) => `${seconds} s per photo`,
  seconds: (seconds: string) => `${seconds} s`,
  random: 'Random order',
  end: 'End the slideshow',
  title: 'Slideshow',
  keys: {
    Space: 'Pause, and continue',
    ArrowLeft: 'Previous photo',
    ArrowRight: 'Next photo',
    r: 'Random order, or the usual one',
    Escape: 'End it, and keep the photo open',
  },
}

const de: typeof en = {
  label: 'Diaschau',
  previous: 'Zurück',
  next: 'Weiter',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  pace: (seconds) => `${seconds} s je Foto`,
  seconds: (seconds) => `${seconds} s`,
  random: 'Zufällige Reihenfolge',
  end: 'Diaschau beenden',
  title: 'Diaschau',
  keys: {
    Space: 'Anhalten und fortsetzen',
    ArrowLeft: 'Voriges Foto',
    ArrowRight: 'Nächstes Foto',
    r: 'Zufällige Reihenfolge, oder die übliche',
    Escape: 'Beenden; das Foto bleibt offen',
  },
}

export const slideshow = text({ en, de })
