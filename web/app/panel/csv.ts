/** A column of a table that is taken along as a file. */
export type CsvColumn<Row> = { title: string; text: (row: Row) => string; isCompany?: true }

/**
 * A table as CSV (RFC 4180, UTF-8 with a mark, so that spreadsheets read the letters). A cell that a spreadsheet would take for
 * a formula begins with an apostrophe: a name that somebody gave themselves must not run on somebody else's computer.
 * Some spreadsheets read the wide signs of East Asia as the plain ones.
 */
export const csvOf = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  `\uFEFF${[columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ text }) => text(row)))]
    .map((cells) => cells.map(cellOf).join(','))
    .join('\r\n')}\r\n`

const cellOf = (text: string): string =>
  `"${(/^\s*[=+\-@|＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
