import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LlmException } from '../../errors/llm.exception.js';
import { bytesOf, bytewise, cutAt, cutBehind, DELIVERIES } from '../../../../../test/support/sse-stream.js';
import { SseReader, type SseReaderOptions } from './sse.reader.js';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);

type ReadEvent = readonly [data: string, event: string | undefined];

function read(packets: readonly Uint8Array[], options?: SseReaderOptions): ReadEvent[] {
  const events: ReadEvent[] = [];
  const reader = new SseReader((data, event) => events.push([data, event]), options);
  for (const packet of packets) reader.push(packet);
  reader.end();
  return events;
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The HTML standard's steps in the plainest form, for comparison; the last event needs no blank line. */
function readPlainly(text: string): ReadEvent[] {
  const events: ReadEvent[] = [];
  let data: string[] = [];
  let event = '';
  for (const line of [...text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/), '']) {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (line === '') {
      if (data.length > 0) events.push([data.join('\n'), event || undefined]);
      data = [];
      event = '';
    } else if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
  }
  return events;
}

describe.each(DELIVERIES)('a stream sent %s', (_, deliver) => {
  it('B24: line ends of any kind delimit events', () => {
    expect(read(deliver('data: {"content":"a"}\n\ndata: [DONE]\n\n'))).toEqual([
      ['{"content":"a"}', undefined],
      ['[DONE]', undefined],
    ]);
  });

  it('B26: one space after the colon is dropped, if there is one, and data lines are joined', () => {
    expect(read(deliver('data:{"a":1}\n\ndata:   x  \n\ndata: {"b":\ndata:2}\n\n'))).toEqual([
      ['{"a":1}', undefined],
      ['  x  ', undefined],
      ['{"b":\n2}', undefined],
    ]);
  });

  it('B28: comments, names, ids, retries and unknown fields are no data', () => {
    const stream =
      ': keep-alive\n\nevent: ping\ndata: {}\n\nid: 7\nretry: 100\n\nevent: lonely\n\nfoo: bar\nbar\ndata: 1\n\n';
    expect(read(deliver(stream))).toEqual([
      ['{}', 'ping'],
      ['1', undefined],
    ]);
  });

  it('a data line without value is an empty line of data', () => {
    expect(read(deliver('data\n\ndata:\n\ndata: \ndata\ndata:x\n\n'))).toEqual([
      ['', undefined],
      ['', undefined],
      ['\n\nx', undefined],
    ]);
  });

  it('fields that only begin like data or event are unknown', () => {
    expect(read(deliver('dataset: 1\nevents: 2\ndat\nDATA: 3\n data: 4\n\n'))).toEqual([]);
  });

  it('a name stays with its event whatever stands between', () => {
    expect(read(deliver('event: a\nid: 1\n: note\ndata: 1\ndata: 2\n\ndata: 3\n\n'))).toEqual([
      ['1\n2', 'a'],
      ['3', undefined],
    ]);
  });

  it('the last of several names counts, and an empty one is none', () => {
    expect(read(deliver('event: a\nevent: b\ndata: 1\n\nevent: c\nevent:\ndata: 2\n\n'))).toEqual([
      ['1', 'b'],
      ['2', undefined],
    ]);
  });

  it('a byte order mark is dropped at the start only', () => {
    expect(read(deliver('\uFEFFdata: 1\n\ndata: \uFEFF2\n\n\uFEFFdata: 3\n\n'))).toEqual([
      ['1', undefined],
      ['\uFEFF2', undefined],
    ]);
  });

  it('characters of two, three and four bytes arrive whole', () => {
    expect(read(deliver('data: é€🔥\n\nevent: ü\ndata: 日本\n\n'))).toEqual([
      ['é€🔥', undefined],
      ['日本', 'ü'],
    ]);
  });

  it.each(['data: 1\n\ndata: 2', 'data: 1\n\ndata: 2\n'])(
    'the last event needs no blank line: %j',
    (stream) => {
      expect(read(deliver(stream))).toEqual([
        ['1', undefined],
        ['2', undefined],
      ]);
    },
  );

  it('an event may have exactly the largest size, and not one byte more', () => {
    const stream = (length: number): string => `data: 1\n\nevent: e\ndata: ${'é'.repeat(length)}\n\n`;
    expect(read(deliver(stream(47)), { maxEventBytes: 100 })).toHaveLength(2);
    const error = thrownBy(() => read(deliver(stream(48)), { maxEventBytes: 100 }));
    expect(error).toBeInstanceOf(LlmException);
    expect(error).toMatchObject({ kind: 'incomplete_stream', retryable: false });
    expect((error as Error).message).toContain('100 bytes');
  });

  it('an event of one line may have exactly the largest size too', () => {
    const stream = (length: number): string => `data: ${'é'.repeat(length)}\n\n`;
    expect(read(deliver(stream(47)), { maxEventBytes: 100 })).toHaveLength(1);
    expect(thrownBy(() => read(deliver(stream(48)), { maxEventBytes: 100 }))).toBeInstanceOf(LlmException);
  });

  it('the data lines of one event count together, comments and earlier events do not', () => {
    const comments = `: ${'c'.repeat(50)}\n`.repeat(5);
    const small = `data: ${'s'.repeat(50)}\n\n`.repeat(5);
    expect(read(deliver(comments + small), { maxEventBytes: 100 })).toHaveLength(5);
    const lines = `data: ${'l'.repeat(50)}\n`.repeat(2);
    expect(thrownBy(() => read(deliver(`${lines}\n`), { maxEventBytes: 100 }))).toBeInstanceOf(LlmException);
  });
});

it('B24: CRLF cut between CR and LF, and CR alone, give the same events', () => {
  const crlf = bytesOf('data: a\r\n\r\ndata: [DONE]\r\n\r\n');
  const lone = bytesOf('data: a\r\rdata: [DONE]\r\r');
  const expected = [
    ['a', undefined],
    ['[DONE]', undefined],
  ];
  for (const packets of [cutBehind(crlf, 13), bytewise(crlf), [lone], cutBehind(lone, 13), bytewise(lone)]) {
    expect(read(packets)).toEqual(expected);
  }
});

it('B24: CRLF cut between CR and LF does not end an event', () => {
  const bytes = bytesOf('event: e\r\ndata: 1\r\ndata: 2\r\n\r\n');
  for (const packets of [cutBehind(bytes, 13), bytewise(bytes)])
    expect(read(packets)).toEqual([['1\n2', 'e']]);
});

it('an event is delivered as soon as its blank line is there', () => {
  const events: string[] = [];
  const reader = new SseReader((data) => events.push(data));
  reader.push(bytesOf('data: 1\n\ndata: 2\r\n\r'));
  expect(events).toEqual(['1', '2']);
});

it('a large event in packets of one byte is read in linear time', () => {
  const data = 'x'.repeat(1024 * 1024);
  expect(read(bytewise(bytesOf(`data: ${data}\n\n`)))[0]?.[0].length).toBe(data.length);
});

it('an endless line is refused before it fills the memory', () => {
  const reader = new SseReader(() => {}, { maxEventBytes: 1000 });
  const packet = bytesOf('x'.repeat(300));
  expect(() => {
    for (let sent = 0; sent < 4; sent++) reader.push(packet);
  }).toThrow(/more than 1000 bytes/);
});

it('events before an event that is too large are still delivered', () => {
  const events: string[] = [];
  const reader = new SseReader((data) => events.push(data), { maxEventBytes: 100 });
  expect(() => reader.push(bytesOf(`data: 1\n\ndata: ${'x'.repeat(200)}`))).toThrow(LlmException);
  expect(events).toEqual(['1']);
});

it('what the callback throws leaves push', () => {
  const reader = new SseReader(() => {
    throw new Error('from the callback');
  });
  expect(() => reader.push(bytesOf('data: 1\n\n'))).toThrow('from the callback');
});

it('any text cut anywhere reads like the plain algorithm', () => {
  const piece = fc.oneof(
    fc.constantFrom('data', 'data:', 'data: ', 'event: ', 'id: 1', ':', ' ', '\n', '\r', '\r\n', '\n\n'),
    fc.constantFrom('\uFEFF', 'é', '🔥', '{"a":1}'),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(120)), (pieces, places) => {
      const text = pieces.join('');
      const packets = cutAt(bytesOf(text), places);
      expect(read(packets)).toEqual(readPlainly(text));
    }),
    { numRuns },
  );
});

it('any bytes, valid UTF-8 or not, read the same however they are cut', () => {
  const byte = fc.oneof(fc.constantFrom(10, 13, 0xe2, 0x82, 0xac, 0xf0), fc.nat(255));
  const bytes = fc.array(byte, { maxLength: 60 }).map((values) => {
    return Buffer.concat([bytesOf('data: '), Uint8Array.from(values), bytesOf('\ndata: é\n\n')]);
  });
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(80)), (whole, places) => {
      expect(read(cutAt(whole, places))).toEqual(read([whole]));
    }),
    { numRuns },
  );
});
