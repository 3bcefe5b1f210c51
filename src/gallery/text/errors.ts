import { plural, text } from '../base/text.ts'

const en = {
  codes: {
    validation_error: 'The server can’t take that as it is.',
    unauthorized: 'You are not signed in.',
    forbidden: 'You have no right to that; perhaps somebody took it away.',
    not_found: 'It is gone; perhaps somebody deleted it.',
    timeout: 'It took too long to arrive. Try again.',
    conflict: 'It has been changed in the meantime.',
    payload_too_large: 'It is larger than the server takes.',
    unsupported_mime: 'The server takes no files of this kind.',
    rate_limited: 'Too many attempts. Try again in a while.',
    busy: 'The server is busy. Try again in a moment.',
    insufficient_storage: 'There is no room left on the server.',
    internal_error: 'Something went wrong in the server.',
    no_connection: 'No connection to the server.',
  } as Record<string, string>,
  fields: {
    'conflict name': 'There is one of that name already.',
    'validation_error name': 'That is no name.',
    'validation_error password': 'That is no password.',
  } as Record<string, string>,
  wait: (seconds: number) =>
    plural(seconds, {
      one: 'Too many attempts. Try again in # second.',
      other: 'Too many attempts. Try again in # seconds.',
    }),
  /** By the status, for answers of other programs. */
  foreign: {
    413: 'Something before the server, perhaps a proxy, takes less.',
  } as Record<number, string>,
  /** For bugs of the page. */
  ours: 'Something went wrong in this page.',
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
  wait: (seconds) =>
    plural(seconds, {
      one: 'Zu viele Versuche. Versuch es in # Sekunde noch einmal.',
      other: 'Zu viele Versuche. Versuch es in # Sekunden noch einmal.',
    }),
  foreign: {
    413: 'Etwas vor dem Server, vielleicht ein Proxy, nimmt nur Kleineres an.',
  },
  ours: 'Auf dieser Seite ging etwas schief.',
  unknown: (status) => `Etwas auf dem Weg zum Server hat ${status} geantwortet.`,
}

/** The messages for errors, by the server's code, or by its code and the invalid field. */
export const errors = text({ en, de })
