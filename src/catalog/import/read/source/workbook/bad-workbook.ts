/** A workbook that can't be read. The message is part of a sentence. */
export class BadWorkbook extends Error {
  constructor(reason = 'it is damaged or not a workbook') {
    super(reason)
  }
}
