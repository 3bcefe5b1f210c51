import { text } from '../base/text.ts'

const en = {
  codes: {
    validation_error: 'The server can’t accept this.',
    unauthorized: 'You are not signed in.',
    forbidden: 'You are not allowed to do that. Somebody may have changed your rights.',
    not_found: 'It is gone. Somebody may have deleted it.',
    timeout: 'It took too long to arrive. Try again.',
    conflict: 'It has changed in the meantime.',
    payload_too_large: 'It is larger than the server accepts.',
    unsupported_mime: 'The server doesn’t accept files of this kind.',
    rate_limited: 'Too many attempts. Try again in a while.',
    busy: 'The server is busy. Try again in a moment.',
    insufficient_storage: 'There is no space left on the server.',
    internal_error: 'Something went wrong on the server.',
    no_connection: 'No connection to the server.',
  } as Record<string, string>,
  fields: {
    'conflict name': 'This name is already taken.',
    'validation_error name': 'This name can’t be used.',
    'validation_error password': 'This password can’t be used.',
  } as Record<string, string>,
  wait: (seconds: number) => `Too many attempts. Try again in ${seconds} s.`,
  /** By the status, for answers of other programs. */
  foreign: {
    413: 'Something in front of the server, perhaps a proxy, accepts only smaller files.',
  } as Record<number, string>,
  /** For bugs of the page. */
  ours: 'Something went wrong on this page.',
  unknown: (status: number) => `Something between here and the server answered ${status}.`,
}

const de: typeof en = {
  codes: {
    validation_error: 'So nimmt der Server das nicht an.',
    unauthorized: 'Du bist nicht angemeldet.',
    forbidden: 'Dazu hast du kein Recht; vielleicht hat es dir jemand genommen.',
    not_found: 'Das gibt es nicht mehr; vielleicht hat es jemand gelöscht.',
    timeout: 'Es kam nicht rechtzeitig an. Versuch es noch einmal.',
    conflict: 'Es wurde inzwischen geändert.',
    payload_too_large: 'Das ist größer, als der Server annimmt.',
    unsupported_mime: 'Dateien dieser Art nimmt der Server nicht an.',
    rate_limited: 'Zu viele Versuche. Versuch es etwas später.',
    busy: 'Der Server ist beschäftigt. Versuch es gleich noch einmal.',
    insufficient_storage: 'Auf dem Server ist kein Platz mehr.',
    internal_error: 'Im Server ging etwas schief.',
    no_connection: 'Keine Verbindung zum Server.',
  },
  fields: {
    'conflict name': 'Etwas mit diesem Namen gibt es schon.',
    'validation_error name': 'Das geht als Name nicht.',
    'validation_error password': 'Das geht als Passwort nicht.',
  },
  wait: (seconds) => `Zu viele Versuche. Versuch es in ${seconds} s noch einmal.`,
  foreign: {
    413: 'Etwas vor dem Server, vielleicht ein Proxy, nimmt nur Kleineres an.',
  },
  ours: 'Auf dieser Seite ging etwas schief.',
  unknown: (status) => `Etwas auf dem Weg zum Server hat ${status} geantwortet.`,
}

/** The messages for errors, by the server's code, or by its code and the invalid field. */
export const errors = text({ en, de })
