import { NONE } from '../../files/find/facts.ts'

// What may be typed into the filter's box. The words of all languages are understood whatever the page's language.

/** The words of one language, in lower case. */
export interface Phrases {
  /** Between conditions, or before the first one. */
  and: string[]
  or: string[]
  not: string[]
  /** What may stand before a name or a day: "photos with Anna", "in May". */
  before: string[]
  near: string[]
  by: string[]
  /** The viewer, after a word for "by" or alone. */
  me: string[]
  album: string[]
  category: string[]
  noCategory: string[]
  camera: string[]
  notes: string[]
  more: string[]
  less: string[]
  /** Days, counted from today. */
  days: [number, ...string[]][]
  last: string[]
  this: string[]
  spans: ['day' | 'week' | 'weekend' | 'month' | 'year', ...string[]][]
  /** Seasons by their first months. */
  seasons: [number, ...string[]][]
  every: string[]
  ofEveryYear: string[]
  decade: string[]
  between: string[]
  from: string[]
  to: string[]
  since: string[]
  /** After a day that something begins with: "from 2019 on". */
  on: string[]
  until: string[]
  earlier: string[]
  later: string[]
  /** Of amounts: the letter of the token, and how many of its units one is. */
  units: ['b' | 'w' | 'e', number, ...string[]][]
  /** What has words of its own; a word with a colon is shown in the list. */
  conditions: [token: string, ...words: string[]][]
  /** How people call a category of people. */
  people: string[]
  nobody: string[]
}

const en: Phrases = {
  and: ['and', 'but', '&', '+'],
  or: ['or'],
  not: ['not', 'without', 'no', 'except'],
  before: ['with', 'of', 'in', 'at', 'on', 'from', 'the', 'a', 'an', 'taken', 'photos', 'pictures'],
  near: ['near', 'around', 'close to'],
  by: ['by', 'uploaded by', 'added by'],
  me: ['me', 'myself'],
  album: ['album', 'in album', 'in the album', 'from the album'],
  category: ['category', 'a tag of', 'any of', 'tag of'],
  noCategory: ['no tag of', 'none of'],
  camera: ['camera', 'taken with', 'with a', 'with the', 'shot with'],
  notes: ['notes', 'note', 'notes with', 'note with', 'notes say'],
  more: ['>', 'larger than', 'bigger than', 'more than', 'longer than', 'over', 'above'],
  less: ['<', 'smaller than', 'less than', 'fewer than', 'shorter than', 'under', 'below'],
  days: [
    [0, 'today'],
    [-1, 'yesterday'],
    [-2, 'day before yesterday', 'the day before yesterday'],
  ],
  last: ['last', 'past', 'previous', 'the last', 'the past'],
  this: ['this'],
  spans: [
    ['day', 'day', 'days'],
    ['week', 'week', 'weeks'],
    ['weekend', 'weekend'],
    ['month', 'month', 'months'],
    ['year', 'year', 'years'],
  ],
  seasons: [
    [3, 'spring'],
    [6, 'summer'],
    [9, 'autumn', 'fall'],
    [12, 'winter'],
  ],
  every: ['every', 'each'],
  ofEveryYear: ['of every year', 'every year', 'of any year'],
  decade: ['s'],
  between: ['between'],
  from: ['from'],
  to: ['to', 'until', 'till', '-'],
  since: ['since', 'starting'],
  on: ['on', 'onwards'],
  until: ['until', 'till', 'up to'],
  earlier: ['before'],
  later: ['after'],
  units: [
    ['b', 1e3, 'kb', 'kilobytes'],
    ['b', 1e6, 'mb', 'megabytes'],
    ['b', 1e9, 'gb', 'gigabytes'],
    ['w', 1e6, 'mp', 'mpx', 'megapixels', 'megapixel'],
    ['w', 1, 'px', 'pixels'],
    ['e', 1, 's', 'sec', 'secs', 'second', 'seconds'],
    ['e', 60, 'min', 'mins', 'minute', 'minutes'],
    ['e', 3600, 'h', 'hour', 'hours'],
  ],
  conditions: [
    ['m~image/%', 'type:picture', 'type:photo', 'type:image', 'photos', 'pictures', 'images'],
    ['m~video/%', 'type:video', 'type:film', 'type:movie', 'videos', 'films', 'movies'],
    ['r=1', 'is:new', 'is:unreviewed', 'not reviewed', 'unreviewed', 'to review'],
    ['r=0', 'is:reviewed', 'reviewed'],
    [`t=${NONE}`, 'is:untagged', 'untagged', 'no tag', 'no tags', 'without tags', 'without a tag'],
    ['f=1', 'is:favourite', 'is:favorite', 'is:hearted', 'favourites', 'favorites', 'hearted'],
    ['f=0', 'is:not-favourite', 'is:not-favorite', 'no favourites', 'not favourites'],
    ['g=0', 'no place', 'without a place', 'without place', 'no gps', 'without gps', 'no location'],
    ['g=1', 'with a place', 'with place', 'gps', 'with gps', 'with location'],
    [`p=${NONE}`, 'in no album', 'no album', 'without album', 'without an album'],
    [`!,p=${NONE}`, 'in an album', 'in any album'],
    [`c=${NONE}`, 'no tag of any category', 'no category'],
    [`!,c=${NONE}`, 'a tag of any category'],
    ['x=raw', 'raw', 'raws'],
    ['x=portrait', 'portrait format', 'portrait', 'upright'],
    ['x=landscape', 'landscape format', 'landscape'],
    ['x=animated', 'animated', 'animations', 'animation', 'gif animation'],
    ['x=damaged', 'damaged', 'broken'],
    ['n~%', 'with notes', 'notes', 'has notes', 'with a note'],
    ['s=given', 'date set by hand', 'date by hand'],
    ['s=exif', 'date from the camera', 'date from the camera’s clock'],
    ['s=xmp', 'date from another program'],
    ['s=gps', 'date from gps'],
    ['s=video', 'date from the video', 'date from the video itself'],
    ['s=name', 'date from the file’s name', 'date from the name', 'date from the file name'],
    ['s=mtime', 'date of the file’s last change', 'date of the last change'],
    ['s=upload', 'date of the upload', 'date unknown'],
  ],
  people: ['people', 'persons', 'family', 'who'],
  nobody: ['nobody', 'no people', 'no one', 'without people', 'nobody named'],
}

const de: Phrases = {
  and: ['und', 'aber', 'auch'],
  or: ['oder'],
  not: ['nicht', 'ohne', 'kein', 'keine', 'keinen', 'keinem', 'außer'],
  before: [
    ...[
      'mit',
      'von',
      'vom',
      'in',
      'im',
      'am',
      'an',
      'aus',
      'auf',
      'bei',
      'der',
      'die',
      'das',
      'dem',
    ],
    ...['den', 'ein', 'eine', 'einer', 'einem', 'fotos', 'bilder'],
  ],
  near: ['nahe', 'nahe bei', 'in der nähe von', 'bei', 'um'],
  by: ['von', 'hochgeladen von'],
  me: ['mir'],
  album: ['album', 'im album', 'aus dem album'],
  category: ['kategorie', 'ein schlagwort aus', 'schlagwort aus'],
  noCategory: ['kein schlagwort aus'],
  camera: ['kamera', 'mit der', 'mit einer', 'aufgenommen mit'],
  notes: ['notiz', 'notizen', 'notiz mit', 'notizen mit'],
  more: ['größer als', 'grösser als', 'mehr als', 'länger als', 'über'],
  less: ['kleiner als', 'weniger als', 'kürzer als', 'unter'],
  days: [
    [0, 'heute'],
    [-1, 'gestern'],
    [-2, 'vorgestern'],
  ],
  last: [
    ...[
      'letzte',
      'letzten',
      'letzter',
      'letztes',
      'letztem',
      'die letzten',
      'der letzten',
      'vorige',
    ],
    ...['vorigen', 'voriges', 'vergangene', 'vergangenen', 'vergangenes'],
  ],
  this: ['diese', 'diesen', 'dieser', 'dieses', 'diesem'],
  spans: [
    ['day', 'tag', 'tage', 'tagen'],
    ['week', 'woche', 'wochen'],
    ['weekend', 'wochenende'],
    ['month', 'monat', 'monate', 'monaten'],
    ['year', 'jahr', 'jahre', 'jahren'],
  ],
  seasons: [
    [3, 'frühling', 'frühjahr'],
    [6, 'sommer'],
    [9, 'herbst'],
    [12, 'winter'],
  ],
  every: ['jeden', 'jeder', 'jedes', 'jede'],
  ofEveryYear: ['jedes jahres', 'jedes jahr', 'in jedem jahr'],
  decade: ['er', 'er jahre', 'er jahren'],
  between: ['zwischen'],
  from: ['von', 'vom', 'ab'],
  to: ['bis', 'bis zum'],
  since: ['seit', 'ab'],
  on: ['an'],
  until: ['bis', 'bis zum'],
  earlier: ['vor', 'vor dem'],
  later: ['nach', 'nach dem'],
  units: [
    ['w', 1, 'pixel'],
    ['e', 1, 'sek', 'sekunde', 'sekunden'],
    ['e', 60, 'minuten'],
    ['e', 3600, 'std', 'stunde', 'stunden'],
  ],
  conditions: [
    ['m~image/%', 'typ:bild', 'typ:foto', 'type:picture', 'fotos', 'bilder'],
    ['m~video/%', 'typ:film', 'typ:video', 'type:video', 'videos', 'filme'],
    ['r=1', 'ist:neu', 'is:new', 'nicht durchgesehen', 'ungesehen', 'undurchgesehen'],
    ['r=0', 'ist:durchgesehen', 'is:reviewed', 'durchgesehen'],
    [`t=${NONE}`, 'ist:ohne-schlagwort', 'is:untagged', 'ohne schlagwort', 'kein schlagwort'],
    ['f=1', 'ist:favorit', 'is:favourite', 'favoriten', 'lieblingsfotos', 'lieblingsbilder'],
    ['f=0', 'ist:kein-favorit', 'is:not-favourite', 'keine favoriten'],
    ['g=0', 'ohne ort', 'kein ort', 'keine ortsangabe', 'ohne ortsangabe', 'ohne gps', 'kein gps'],
    ['g=1', 'mit ort', 'mit ortsangabe', 'mit gps'],
    [`p=${NONE}`, 'in keinem album', 'kein album', 'ohne album'],
    [`!,p=${NONE}`, 'in einem album'],
    [`c=${NONE}`, 'kein schlagwort aus einer kategorie', 'ohne kategorie'],
    [`!,c=${NONE}`, 'ein schlagwort aus einer kategorie'],
    ['x=raw', 'rohdaten'],
    ['x=portrait', 'hochformat', 'hochkant'],
    ['x=landscape', 'querformat', 'quer'],
    ['x=animated', 'animiert', 'animierte', 'animationen', 'bewegt'],
    ['x=damaged', 'beschädigt', 'beschädigte', 'kaputt'],
    ['n~%', 'mit notiz', 'mit notizen', 'notiz', 'notizen'],
    ['s=given', 'datum von hand gesetzt', 'datum von hand'],
    ['s=exif', 'datum nach der uhr der kamera', 'datum aus der kamera'],
    ['s=xmp', 'datum aus einem anderen programm'],
    ['s=gps', 'datum nach gps'],
    ['s=video', 'datum aus dem video selbst', 'datum aus dem video'],
    ['s=name', 'datum nach dem namen der datei', 'datum aus dem namen'],
    ['s=mtime', 'datum der letzten änderung'],
    ['s=upload', 'datum des hochladens', 'datum unbekannt'],
  ],
  people: ['personen', 'menschen', 'leute', 'familie', 'wer'],
  nobody: ['niemand', 'keine personen', 'ohne personen', 'keine menschen'],
}

/** The words of each language. */
export const PHRASES = { en, de }
