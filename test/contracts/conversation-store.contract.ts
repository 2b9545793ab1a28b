import {
  SessionBusyException,
  SessionConflictException,
  type ConversationStore,
  type LlmMessage,
  type SessionSummary,
} from '@nestor/core';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200);

const user = (content: string): LlmMessage => ({ role: 'user', content });

/** One place where conversations are kept. */
export interface ConversationPlace {
  /** The store of another process, as far as one can be had. */
  other(): ConversationStore;
  readonly store: ConversationStore;
  close(): Promise<void>;
}

/** What every conversation store does, whatever it keeps the messages in. */
export function conversationStoreContract(open: () => Promise<ConversationPlace>): void {
  let place: ConversationPlace;
  let store: ConversationStore;
  let counter = 0;
  const fresh = (): string => `session-${++counter}`;

  beforeAll(async () => {
    place = await open();
    store = place.store;
  });
  afterAll(() => place.close());

  describe('messages', () => {
    it('starts empty, keeps the order and counts versions', async () => {
      const id = fresh();
      expect(await store.load(id)).toEqual({ messages: [], version: 0 });
      expect(await store.append(id, [user('a')], 0)).toBe(1);
      expect(await store.append(id, [user('b'), user('c')], 1)).toBe(2);
      expect(await store.load(id)).toEqual({ messages: [user('a'), user('b'), user('c')], version: 2 });
    });

    it('gives back every part of a message', async () => {
      const id = fresh();
      const messages: LlmMessage[] = [
        { role: 'user', content: 'look', parts: [{ type: 'text', text: 'look' }] },
        {
          role: 'assistant',
          content: null,
          reasoning: 'hm',
          toolCalls: [{ id: 'c1', name: 'find', arguments: '{"q":"żółw 🐢"}' }],
        },
        { role: 'tool', content: 'NUL \0, half a pair \ud83d, "quotes" \\ and ?', toolCallId: 'c1' },
        { role: 'assistant', content: 'x'.repeat(300_000) },
      ];
      await store.append(id, messages, 0);
      expect((await store.load(id)).messages).toEqual(messages);
    });

    it('takes a thousand messages at once', async () => {
      const id = fresh();
      const messages = Array.from({ length: 1_000 }, (_, index) => user(`message ${index}`));
      await store.append(id, messages, 0);
      expect((await store.load(id)).messages).toEqual(messages);
    });

    it('tells a run that goes on whether it has appended already, and what stood before that', async () => {
      const id = fresh();
      await store.append(id, [user('a')], 0, 'first');
      await store.append(id, [user('b'), user('c')], 1, 'second');
      await store.append(id, [user('d')], 2);
      expect(await place.other().load(id, 'second')).toEqual({
        messages: [user('a')],
        version: 3,
        appended: true,
      });
      expect(await store.load(id, 'first')).toEqual({ messages: [], version: 3, appended: true });
      expect(await store.load(id, 'third')).toMatchObject({ messages: { length: 4 }, version: 3 });
      expect(await store.load(id, 'third')).not.toHaveProperty('appended');
      expect(await store.load(fresh(), 'first')).toEqual({ messages: [], version: 0 });
    });

    it('refuses an append to another version and writes nothing', async () => {
      const id = fresh();
      await store.append(id, [user('a')], 0);
      for (const version of [0, 2]) {
        await expect((async () => store.append(id, [user('b')], version))()).rejects.toThrow(
          SessionConflictException,
        );
      }
      await expect((async () => store.append(fresh(), [user('b')], 3))()).rejects.toThrow(
        /version is 0.*expected 3/,
      );
      expect(await store.load(id)).toEqual({ messages: [user('a')], version: 1 });
    });

    it('lets exactly one of many appends to one version through', async () => {
      const id = fresh();
      const stores = [store, place.other()];
      for (const version of [0, 1]) {
        const outcomes = await Promise.allSettled(
          Array.from({ length: 10 }, async (_, n) => stores[n % 2]!.append(id, [user(`${n}`)], version)),
        );
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        const reasons = outcomes.flatMap((outcome) =>
          outcome.status === 'rejected' ? [outcome.reason] : [],
        );
        expect(reasons.every((reason) => reason instanceof SessionConflictException)).toBe(true);
      }
      expect((await store.load(id)).messages).toHaveLength(2);
    });

    it('keeps sessions apart whose names differ in case, length, accents or by a blank', async () => {
      const names = [
        'Ann',
        'ann',
        'ánn',
        'ann ',
        '',
        'a'.repeat(5_000),
        'a'.repeat(5_001),
        '\ud800',
        '\ud801',
        '\0',
      ];
      for (const name of names) await store.append(name, [user(name)], 0);
      for (const name of names)
        expect(await store.load(name)).toEqual({ messages: [user(name)], version: 1 });
      for (const name of names) expect(await store.delete(name)).toBe(true);
    });

    it('holds what was appended, whatever was appended and deleted', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.oneof(
              fc.record({ texts: fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { maxLength: 4 }) }),
              fc.constant('delete' as const),
            ),
            { maxLength: 5 },
          ),
          async (steps) => {
            const id = fresh();
            let messages: LlmMessage[] = [];
            let version = 0;
            for (const step of steps) {
              if (step === 'delete') {
                await store.delete(id);
                [messages, version] = [[], 0];
                continue;
              }
              const added = step.texts.map(user);
              version = await store.append(id, added, version);
              messages = [...messages, ...added];
            }
            expect(await store.load(id)).toEqual({ messages, version });
          },
        ),
        { numRuns: RUNS },
      );
    }, 120_000);
  });

  describe('delete and list', () => {
    it('deletes a session once', async () => {
      const id = fresh();
      await store.append(id, [user('a')], 0);
      expect(await store.delete(id)).toBe(true);
      expect(await store.delete(id)).toBe(false);
      expect(await store.load(id)).toEqual({ messages: [], version: 0 });
      expect(await store.append(id, [user('again')], 0)).toBe(1);
    });

    it('lists the latest first, with the number of messages', async () => {
      const [a, b] = [fresh(), fresh()];
      await store.append(a, [user('1'), user('2')], 0);
      let version = 0;
      let listed: readonly SessionSummary[];
      // Until the clock has moved on: two uses within one millisecond have no order.
      do {
        version = await store.append(b, [user('1')], version);
        listed = (await store.list()).filter(({ sessionId }) => sessionId === a || sessionId === b);
      } while (listed[0]?.updatedAt === listed[1]?.updatedAt);
      expect(listed.map(({ sessionId }) => sessionId)).toEqual([b, a]);
      expect(listed[1]?.messageCount).toBe(2);
      expect(Math.abs((listed[0]?.updatedAt ?? 0) - Date.now())).toBeLessThan(60_000);
      expect(await store.list({ limit: 1 })).toEqual([listed[0]]);
    });
  });

  describe('lock', () => {
    it('lets one after another in, in one process and in two', async () => {
      const id = fresh();
      const stores = [store, store, place.other()];
      let inside = 0;
      const most: number[] = [];
      await Promise.all(
        stores.map(async (each) => {
          const release = await each.lock(id);
          most.push(++inside);
          await store.load(id);
          inside -= 1;
          release();
        }),
      );
      expect(most).toEqual([1, 1, 1]);
    });

    it('refuses at once where asked to, and not after the release', async () => {
      const id = fresh();
      const release = await store.lock(id);
      for (const each of [store, place.other()]) {
        await expect(each.lock(id, { whenBusy: 'refuse' })).rejects.toBeInstanceOf(SessionBusyException);
      }
      release();
      const again = await store.lock(id, { whenBusy: 'refuse' });
      release();
      await expect(store.lock(id, { whenBusy: 'refuse' })).rejects.toBeInstanceOf(SessionBusyException);
      again();
    });

    it('ends the waiting with the signal’s reason', async () => {
      const id = fresh();
      const release = await store.lock(id);
      for (const each of [store, place.other()]) {
        const controller = new AbortController();
        const waiting = each.lock(id, { signal: controller.signal });
        controller.abort(new Error('gone'));
        await expect(waiting).rejects.toThrow('gone');
        await expect(each.lock(id, { signal: controller.signal })).rejects.toThrow('gone');
      }
      release();
      (await store.lock(id))();
    });

    it('stands when the session is deleted meanwhile', async () => {
      const id = fresh();
      await store.append(id, [user('a')], 0);
      const release = await store.lock(id);
      await store.delete(id);
      await expect(place.other().lock(id, { whenBusy: 'refuse' })).rejects.toBeInstanceOf(
        SessionBusyException,
      );
      release();
    });
  });
}
