import { plural } from '../../base/text.ts'
import type { en } from '../en/errors.ts'

export const de: typeof en = {
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
