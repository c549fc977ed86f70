import { Bitmap } from "./bitmap.ts";
import type { CataloguePage } from "./catalogue_types.ts";
import type { SortedSlots } from "./sorted_slots.ts";

/** So few members are sorted at once. */
const FEW = 10;
/** Sorting members is cheaper than a walk through so many slots for each. */
const STEPS_A_MEMBER = 1_000;

/** Which part of a list. */
export interface Part {
  offset: number;
  limit: number;
}

/** All of a list. With Infinity as its limit, V8 would compute every part in floating point. */
export const WHOLE: Part = { offset: 0, limit: 2 ** 30 };

/** One for all intersections: the memory of a new one takes longer than what is done with it. */
const common = new Bitmap();

/**
 * The members of all sets; at least one is given. To be read before the next call with several: one
 * set is its own intersection.
 */
export function intersection(sets: Bitmap[]): Bitmap {
  return sets.length === 1 ? sets[0]! : common.intersect(sets);
}

/** A part of a list. */
export function cut(list: Uint32Array, { offset, limit }: Part): CataloguePage {
  const slots: number[] = [];
  const end = Math.min(offset + limit, list.length);
  for (let i = offset; i < end; i++) slots.push(list[i]!);
  return { slots, total: list.length };
}

/** What was picked last, one for all: the memory of a new one takes longer than picking. */
let picked = new Uint32Array(0);

/** Those of a list in an order that are members. To be read before the next call. */
export function pick(order: SortedSlots, list: Uint32Array, members: Bitmap): Uint32Array {
  if (picked.length < list.length) picked = new Uint32Array(2 * list.length);
  members.reserve(order.beyond);
  return picked.subarray(0, members.pick(list, picked));
}

/** A part of few members, which are sorted here. */
function fewOf(order: SortedSlots, members: Uint32Array, part: Part): CataloguePage {
  const sorted = [...members].sort(order.compare);
  return { slots: sorted.slice(part.offset, part.offset + part.limit), total: members.length };
}

/**
 * A part of the members, found by walking the order from the nearer end, or a list in that order in
 * which all of them are.
 */
export function walk(
  order: SortedSlots,
  members: Bitmap,
  part: Part,
  listOf: () => Uint32Array = () => order.slots(),
): CataloguePage {
  const { offset, limit } = part;
  const total = members.size;
  const count = Math.min(limit, total - offset);
  if (count <= 0) return { slots: [], total };
  if (total <= FEW) return fewOf(order, members.members(), part);
  const list = listOf();
  if (total * STEPS_A_MEMBER <= list.length) return fewOf(order, members.members(), part);
  members.reserve(order.beyond);
  const slots: number[] = [];
  const after = total - offset - count;
  if (offset <= after) {
    let next = members.skip(list, 0, offset);
    while (slots.length < count) {
      next = members.skip(list, next, 1);
      slots.push(list[next - 1]!);
    }
    return { slots, total };
  }
  let next = members.skipBack(list, list.length - 1, after);
  while (slots.length < count) {
    next = members.skipBack(list, next, 1);
    slots.push(list[next + 1]!);
  }
  return { slots: slots.reverse(), total };
}
