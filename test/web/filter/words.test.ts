import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { printFilter, withSteps } from '../../../src/gallery/filter/edit.ts'
import { conditionIn, knownFrom, placesOf } from '../../../src/gallery/filter/words/conditions.ts'
import { readLine } from '../../../src/gallery/filter/words/line.ts'

const NONE = '00000000-0000-0000-0000-000000000000'
const TAGS = ['holiday', 'work', 'Arezzo', 'Jonas', 'Müller', 'dogs and cats', 'May ball', 'Rom']
const idOf = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`
const CATEGORY = idOf(50)
const ALBUM = idOf(60)

const known = knownFrom(
  {
    tags: TAGS.map((name, n) => ({ name, token: `t=${idOf(n)}` })),
    categories: [{ name: 'People', token: `c=${CATEGORY}` }],
    albums: [{ name: 'A week by the sea', token: `p=${ALBUM}` }],
    people: [
      { name: 'admin', token: 'u=1' },
      { name: 'father', token: 'u=7' },
    ],
    cameras: [
      { name: 'Canon EOS 5D', token: 'k~Canon_EOS_5D' },
      { name: 'Apple iPhone 12', token: 'k~Apple_iPhone_12' },
      { name: 'Canon PowerShot G7 X', token: 'k~Canon_PowerShot_G7_X' },
    ],
    places: [
      { name: 'France', token: 'l=FR' },
      { name: 'Nice', token: 'l=FR.93.Nice' },
      { name: 'Italy', token: 'l=IT' },
      { name: 'Rome', token: 'l=IT.07.Rome' },
      { name: 'Garmisch-Partenkirchen', token: 'l=DE.02.Garmisch-Partenkirchen' },
      { name: 'United States', token: 'l=US' },
    ].flatMap(placesOf),
  },
  1,
  // A Sunday.
  '2026-11-29',
)

/** What is asked for by a text, with tags by their names; null for a text that is searched for. */
function ask(text: string): string | null {
  const { steps } = readLine(text, known)
  const named = (id: string, letter: string) => (letter === 't' ? TAGS[Number(id.slice(-2))]! : id)
  return steps && printFilter(withSteps(null, steps), named).slice(1, -1)
}

const TABLE: Record<string, [text: string, filter: string | null][]> = {
  'tags and what joins them': [
    ['holiday', 't=holiday'],
    ['not work', '!,t=work'],
    ['without work', '!,t=work'],
    ['ohne work', '!,t=work'],
    ['nicht work', '!,t=work'],
    ['-work', '!,t=work'],
    ['holiday but not work', 't=holiday,&,!,t=work'],
    ['holiday aber nicht work', 't=holiday,&,!,t=work'],
    ['holiday or Arezzo', 't=holiday,|,t=Arezzo'],
    ['holiday oder arezzo und nicht work', '(,t=holiday,|,t=Arezzo,),&,!,t=work'],
    ['holiday |Arezzo -work', '(,t=holiday,|,t=Arezzo,),&,!,t=work'],
    ['photos with Jonas', 't=Jonas'],
    ['Fotos von muller', 't=Müller'],
    ['holiday, Jonas', 't=holiday,&,t=Jonas'],
    ['holiday,Jonas or', 't=holiday,&,t=Jonas'],
    ['dogs and cats', 't=dogs and cats'],
    ['not dogs and cats or work', '!,t=dogs and cats,|,t=work'],
    // A tag's name wins over words.
    ['May ball', 't=May ball'],
    ['in Rom', 't=Rom'],
  ],
  'days in English': [
    ['2019', 'd=2019'],
    ['2019-05', 'd=2019-05'],
    ['May 2019', 'd=2019-05'],
    ['in May 2019', 'd=2019-05'],
    ['jul. 2018', 'd=2018-07'],
    ['14 May 2019', 'd=2019-05-14'],
    ['on the 14th of May 2019', 'd=2019-05-14'],
    ['May 14 2019', 'd=2019-05-14'],
    ['May', 'd~05'],
    ['14 May', 'd~05-14'],
    ['every May', 'd~05'],
    ['14 May of every year', 'd~05-14'],
    ['today', 'd=2026-11-29'],
    ['yesterday', 'd=2026-11-28'],
    ['the day before yesterday', 'd=2026-11-27'],
    ['this week', 'd>=2026-11-23,&,d<=2026-11-29'],
    ['last week', 'd>=2026-11-16,&,d<=2026-11-22'],
    ['last weekend', 'd>=2026-11-21,&,d<=2026-11-22'],
    ['last month', 'd=2026-10'],
    ['last year', 'd=2025'],
    ['last 3 days', 'd>=2026-11-27,&,d<=2026-11-29'],
    ['the last 2 weeks', 'd>=2026-11-16,&,d<=2026-11-29'],
    ['last 12 months', 'd>=2025-11-30,&,d<=2026-11-29'],
    ['last Sunday', 'd=2026-11-22'],
    ['last Monday', 'd=2026-11-23'],
    ['summer 2019', 'd>=2019-06,&,d<=2019-08'],
    ['in the winter of 2019', 'd>=2019-12,&,d<=2020-02'],
    ['last summer', 'd>=2026-06,&,d<=2026-08'],
    ['last winter', 'd>=2025-12,&,d<=2026-02'],
    ['last autumn', 'd>=2025-09,&,d<=2025-11'],
    ['autumn', 'd~09,|,d~10,|,d~11'],
    ['not summer', '!,(,d~06,|,d~07,|,d~08,)'],
    ['the 90s', 'd>=1990,&,d<=1999'],
    ['1980s', 'd>=1980,&,d<=1989'],
    ['2019 to 2021', 'd>=2019,&,d<=2021'],
    ['2019-2021', 'd>=2019,&,d<=2021'],
    ['2019..2021', 'd>=2019,&,d<=2021'],
    ['2018-07..', 'd>=2018-07'],
    ['..2018-07-14', 'd<=2018-07-14'],
    ['between 2019 and 2021', 'd>=2019,&,d<=2021'],
    ['not between 2019 and 2021', '!,(,d>=2019,&,d<=2021,)'],
    ['from May 2019 to July 2020', 'd>=2019-05,&,d<=2020-07'],
    ['May to July 2019', 'd>=2019-05,&,d<=2019-07'],
    ['December to February 2020', 'd>=2019-12,&,d<=2020-02'],
    ['14 to 20 May 2019', 'd>=2019-05-14,&,d<=2019-05-20'],
    ['May to July', 'd~05,|,d~06,|,d~07'],
    ['since 2019', 'd>=2019'],
    ['from 2019 on', 'd>=2019'],
    ['until May 2019', 'd<=2019-05'],
    ['before 2019', 'd<2019'],
    ['after last week', 'd>2026-11-22'],
    ['2019 or 2021', 'd=2019,|,d=2021'],
    // No picture is of both, so either is meant.
    ['2018, 2019', 'd=2018,|,d=2019'],
    ['holiday 2018 and 2019, 2021', 't=holiday,&,(,d=2018,|,d=2019,|,d=2021,)'],
    ['before 2018, after 2020', 'd<2018,|,d>2020'],
    ['May, June', 'd~05,|,d~06'],
    ['not 2018, not 2019', '!,d=2018,&,!,d=2019'],
    ['since 2018, until 2020', 'd>=2018,&,d<=2020'],
    // Without a year, the last that has begun.
    ['since May', 'd>=2026-05'],
    ['until May', 'd<=2026-05'],
    ['before December', 'd<2025-12'],
    ['after 14 November', 'd>2026-11-14'],
    ['until 30 November', 'd<=2025-11-30'],
    ['since winter', 'd>=2025-12'],
    ['until winter', 'd<=2026-02'],
    ['in the year 2019', 'd=2019'],
    ['May 14, 2019', 'd~05-14,&,d=2019'],
  ],
  'days in German': [
    ['Mai 2019', 'd=2019-05'],
    ['im März 2019', 'd=2019-03'],
    ['im Jahr 2019', 'd=2019'],
    ['im Jahre 2019', 'd=2019'],
    ['seit Mai', 'd>=2026-05'],
    ['bis Mai', 'd<=2026-05'],
    ['2018, 2019', 'd=2018,|,d=2019'],
    ['am 14. Mai 2019', 'd=2019-05-14'],
    ['14.5.2019', 'd=2019-05-14'],
    ['14. Mai jedes Jahres', 'd~05-14'],
    ['jeden Sommer', 'd~06,|,d~07,|,d~08'],
    ['heute', 'd=2026-11-29'],
    ['gestern', 'd=2026-11-28'],
    ['vorgestern', 'd=2026-11-27'],
    ['letzte Woche', 'd>=2026-11-16,&,d<=2026-11-22'],
    ['letztes Wochenende', 'd>=2026-11-21,&,d<=2026-11-22'],
    ['letzten Monat', 'd=2026-10'],
    ['dieses Jahr', 'd=2026'],
    ['die letzten 14 Tage', 'd>=2026-11-16,&,d<=2026-11-29'],
    ['letzten Samstag', 'd=2026-11-28'],
    ['Sommer 2019', 'd>=2019-06,&,d<=2019-08'],
    ['letzten Sommer', 'd>=2026-06,&,d<=2026-08'],
    ['Winter 2019/20', 'd>=2019-12,&,d<=2020-02'],
    ['80er Jahre', 'd>=1980,&,d<=1989'],
    ['2019 bis 2021', 'd>=2019,&,d<=2021'],
    ['von 2019 bis 2021', 'd>=2019,&,d<=2021'],
    ['zwischen 2019 und 2021', 'd>=2019,&,d<=2021'],
    ['Mai bis Juli 2019', 'd>=2019-05,&,d<=2019-07'],
    ['seit 2019', 'd>=2019'],
    ['bis Mai 2019', 'd<=2019-05'],
    ['vor 2019', 'd<2019'],
    ['nach dem 14. Mai 2019', 'd>2019-05-14'],
  ],
  'amounts and kinds': [
    ['> 5 MB', 'b>5000000'],
    ['>5mb', 'b>5000000'],
    ['larger than 1.5 GB', 'b>1500000000'],
    ['größer als 1,5 GB', 'b>1500000000'],
    ['unter 500 KB', 'b<500000'],
    ['more than 12 megapixels', 'w>12000000'],
    ['über 12 Megapixel', 'w>12000000'],
    ['longer than 2 minutes', 'e>120'],
    ['kürzer als 30 Sekunden', 'e<30'],
    ['heic', 'm=image/heic'],
    ['JPEGs', 'm=image/jpeg'],
    ['not dng', '!,m=image/x-adobe-dng'],
    ['type:image/gif', 'm=image/gif'],
    ['videos', 'm~video/%'],
    ['Filme', 'm~video/%'],
    ['is:new', 'r=1'],
    ['not reviewed', 'r=1'],
    ['favourites', 'f=1'],
    ['Favoriten', 'f=1'],
    ['keine Favoriten', 'f=0'],
    ['raw', 'x=raw'],
    ['Hochformat', 'x=portrait'],
    ['no tags', `t=${NONE}`],
    ['date from the file name', 's=name'],
  ],
  'places, people, albums, cameras and notes': [
    ['no place', 'g=0'],
    ['ohne Ort', 'g=0'],
    ['gps', 'g=1'],
    ['mit Ort', 'g=1'],
    ['near Nice', 'l=FR.93.Nice'],
    ['bei Nice', 'l=FR.93.Nice'],
    ['Garmisch-Partenkirchen', 'l=DE.02.Garmisch-Partenkirchen'],
    ['in France', 'l=FR'],
    ['France', 'l=FR'],
    ['in Frankreich', 'l=FR'],
    ['in den USA', 'l=US'],
    ['not in Italy', '!,l=IT'],
    ['by father', 'u=7'],
    ['von father', 'u=7'],
    ['by me', 'u=1'],
    ['von mir', 'u=1'],
    ['Canon', 'k~canon%'],
    ['canon eos 5d', 'k~Canon_EOS_5D'],
    ['iPhone 12', 'k~Apple_iPhone_12'],
    ['mit der Canon', 'k~canon%'],
    ['A week by the sea', `p=${ALBUM}`],
    ['im Album A week by the sea', `p=${ALBUM}`],
    ['in no album', `p=${NONE}`],
    ['in keinem Album', `p=${NONE}`],
    ['People', `c=${CATEGORY}`],
    ['no tag of People', `!,c=${CATEGORY}`],
    ['nobody', `!,c=${CATEGORY}`],
    ['niemand', `!,c=${CATEGORY}`],
  ],
  'several in one line': [
    ['holiday but not work, 2019, in Italy', 't=holiday,&,!,t=work,&,d=2019,&,l=IT'],
    ['holiday 2019 in Italy', 't=holiday,&,d=2019,&,l=IT'],
    [
      'holiday ohne work, Sommer 2019, in Italien',
      't=holiday,&,!,t=work,&,d>=2019-06,&,d<=2019-08,&,l=IT',
    ],
    [
      'Jonas or Arezzo, last week, > 5 MB',
      '(,t=Jonas,|,t=Arezzo,),&,d>=2026-11-16,&,d<=2026-11-22,&,b>5000000',
    ],
    ['favourites by father near Nice', 'f=1,&,u=7,&,l=FR.93.Nice'],
    ['Canon heic nicht 2019 bis 2021', 'k~canon%,&,m=image/heic,&,!,(,d>=2019,&,d<=2021,)'],
  ],
  'names of files, and what nobody could mean': [
    ['IMG_2019', null],
    ['IMG_12.jpg', null],
    ['beach', null],
    ['holiday beach', null],
    ['beach 2019', null],
    ['2018-13', null],
    ['2019-02-29', null],
    ['30 February 2020', null],
    ['2021 to 2019', null],
    ['0000', null],
    ['18', null],
    ['jan', null],
    ['near Berlin', null],
    ['in Spain', null],
    ['by mother', null],
    ['not', null],
    ['or', null],
    ['5 MB', null],
    ['> 5', null],
    ['last', null],
    ['summerhouse', null],
    ['', null],
  ],
}

describe('what is typed into the box', () => {
  for (const [what, rows] of Object.entries(TABLE)) {
    it(`understands ${what}`, () => {
      for (const [text, filter] of rows) assert.equal(ask(text), filter, text)
    })
  }

  it('may be looked for in the notes', () => {
    for (const [text, token] of [
      ['notes: laughed', 'n~%laughed%'],
      ['Notes: Laughed a lot', 'n~%Laughed_a_lot%'],
      ['notes with “laughed”', 'n~%laughed%'],
      ['notes: “laughed”', 'n~%laughed%'],
      ['notes: "laughed: loud"', 'n~%laughed__loud%'],
      ['notes "laughed: loud"', 'n~%laughed__loud%'],
      ['notes: laughed: loud', 'n~%laughed__loud%'],
      ['Notiz: gelacht', 'n~%gelacht%'],
      ['Notiz mit „gelacht“', 'n~%gelacht%'],
      ['with notes', 'n~%'],
      ['notes', 'n~%'],
      ['notes laughed', null],
    ] as const) {
      assert.equal(conditionIn(text, known), token, text)
    }
  })

  it('may go on as a name from every place where a condition may begin', () => {
    const { steps, open } = readLine('holiday but not wor', known)
    assert.equal(steps, null)
    assert.deepEqual(
      open.map(({ text, joint, steps: before }) => [text, joint.negated, before.length]),
      [
        ['holiday but not wor', false, 0],
        ['but not wor', false, 1],
        ['not wor', false, 1],
        ['wor', true, 1],
      ],
    )
  })
})
