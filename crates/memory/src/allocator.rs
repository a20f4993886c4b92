//! An allocator with a reserve and limits, and the state of runs whose memory has run out.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicPtr, AtomicUsize, Ordering::Relaxed};

/// Bytes of the reserve, or a quarter or a sixteenth if there are not as many: for one operation
/// that cannot be refused, the message about it, and writing out the rest of the output.
const RESERVE: usize = 16 << 20;

/// Bytes beyond a limit for operations that cannot be refused: an eighth of the limit, at least
/// this.
const MIN_BEYOND: usize = 4 << 20;

/// What a run may hold, holds, and was refused; shared by the threads that work for it.
struct Account {
    ran_out: AtomicBool,
    /// The size of the request that was refused.
    wanted: AtomicUsize,
    /// Whether a request was refused because of the limit, not by the system.
    limit_reached: AtomicBool,
    /// `isize::MAX` without a limit.
    limit: isize,
    /// Bytes held since the account was opened; negative if blocks from before were freed.
    held: AtomicIsize,
    /// Unfinished runs.
    runs: AtomicUsize,
}

impl Account {
    const fn new(limit: isize) -> Account {
        Account {
            ran_out: AtomicBool::new(false),
            wanted: AtomicUsize::new(0),
            limit_reached: AtomicBool::new(false),
            limit,
            held: AtomicIsize::new(0),
            runs: AtomicUsize::new(0),
        }
    }

    fn run_out(&self, wanted: usize) {
        if !self.ran_out.swap(true, Relaxed) {
            RAN_OUT.fetch_add(1, Relaxed);
            self.wanted.store(wanted, Relaxed);
        }
    }

    fn recover(&self) {
        if self.ran_out.swap(false, Relaxed) {
            RAN_OUT.fetch_sub(1, Relaxed);
        }
        self.limit_reached.store(false, Relaxed);
    }
}

/// The account of threads that work for no run with its own.
static PROCESS: Account = Account::new(isize::MAX);
/// How many accounts have run out: without any the thread's need not be looked up.
static RAN_OUT: AtomicUsize = AtomicUsize::new(0);
/// How many accounts have a limit: without any nothing is counted.
static LIMITED: AtomicUsize = AtomicUsize::new(0);
/// The reserve, or null, and its size.
static KEPT: AtomicPtr<u8> = AtomicPtr::new(null_mut());
static KEPT_SIZE: AtomicUsize = AtomicUsize::new(0);
/// A `fn() -> !`, or null.
static LAST_RESORT: AtomicPtr<()> = AtomicPtr::new(null_mut());
thread_local! {
    /// Whether the operation that allocates on this thread can be refused.
    static REFUSABLE: Cell<bool> = const { Cell::new(false) };
    /// Never null: the process's account, or one that the thread owns.
    static ACCOUNT: Cell<*const Account> = const { Cell::new(&raw const PROCESS) };
}

/// The thread's account.
#[inline(always)]
fn account<'a>() -> &'a Account {
    // SAFETY: a static, or owned by the thread as long as it is there. No caller keeps the reference
    // while another becomes the thread's.
    unsafe { &*ACCOUNT.get() }
}

/// Whether memory has run out since the oldest unfinished run of the thread's account began.
#[inline(always)]
pub fn ran_out() -> bool {
    RAN_OUT.load(Relaxed) != 0 && account().ran_out.load(Relaxed)
}

/// The address of the byte that [`ran_out`] reads, for machine code: as long as the account is the
/// thread's.
pub fn ran_out_at() -> *const u8 {
    account().ran_out.as_ptr().cast()
}

/// Notes that memory has run out: a request of so many bytes was refused.
#[cold]
pub fn run_out(wanted: usize) {
    account().run_out(wanted);
}

/// The bytes of the request at which memory ran out.
pub fn wanted() -> usize {
    account().wanted.load(Relaxed)
}

/// A run in progress. When the last one of an account ends, memory no longer counts as run out.
#[derive(Debug)]
pub struct Run(SharedAccount);

impl Run {
    /// Begins a run.
    pub fn begin() -> Run {
        let run = Run(SharedAccount::of_this_thread());
        run.0.get().runs.fetch_add(1, Relaxed);
        if !LAST_RESORT.load(Relaxed).is_null() && !has_reserve() && !ran_out() {
            fill_reserve();
        }
        run
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let account = self.0.get();
        if account.runs.fetch_sub(1, Relaxed) == 1 {
            account.recover();
        }
    }
}

/// An account, for another thread that works for the same run.
#[derive(Clone)]
pub struct SharedAccount(Option<Arc<Account>>);

impl SharedAccount {
    /// The account of the calling thread.
    pub fn of_this_thread() -> SharedAccount {
        let account = ACCOUNT.get();
        if std::ptr::eq(account, &raw const PROCESS) {
            return SharedAccount(None);
        }
        // SAFETY: one that is not the process's is from `Arc::into_raw`, and the thread's.
        unsafe {
            Arc::increment_strong_count(account);
            SharedAccount(Some(Arc::from_raw(account)))
        }
    }

    fn get(&self) -> &Account {
        self.0.as_deref().unwrap_or(&PROCESS)
    }

    /// Memory counts as run out from now on, which ends the account's runs; from any thread.
    pub fn exhaust(&self) {
        self.get().run_out(0);
    }

    /// Makes it the calling thread's, until the guard is dropped.
    pub fn enter(self) -> AccountInUse {
        AccountInUse { before: Some(self.replace()), on_thread: PhantomData }
    }

    /// Makes it the thread's, which owns it from now on; the one that was.
    fn replace(self) -> SharedAccount {
        let account = match self.0 {
            Some(account) => Arc::into_raw(account),
            None => &raw const PROCESS,
        };
        let before = ACCOUNT.replace(account);
        if std::ptr::eq(before, &raw const PROCESS) {
            return SharedAccount(None);
        }
        // SAFETY: one that is not the process's is from `into_raw` above, and no longer the
        // thread's.
        SharedAccount(Some(unsafe { Arc::from_raw(before) }))
    }
}

/// While it lives, an account is its thread's. Guards are dropped in the opposite order.
#[derive(Debug)]
pub struct AccountInUse {
    before: Option<SharedAccount>,
    /// Not for another thread.
    on_thread: PhantomData<*const ()>,
}

impl Drop for AccountInUse {
    fn drop(&mut self) {
        drop(self.before.take().map(SharedAccount::replace));
    }
}

impl std::fmt::Debug for SharedAccount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedAccount").field("held", &self.get().held).finish_non_exhaustive()
    }
}
/// Keeps the reserve from now on, in a process whose allocator is [`Checked`]. `last_resort` ends
/// the process where even the reserve does not suffice.
pub fn keep_reserve(last_resort: fn() -> !) {
    LAST_RESORT.store(last_resort as *mut (), Relaxed);
    fill_reserve();
}

/// Whether the reserve has not been freed.
pub fn has_reserve() -> bool {
    !KEPT.load(Relaxed).is_null()
}

fn reserve_layout(size: usize) -> Layout {
    // SAFETY: a page is a power of two, and no size of a reserve overflows.
    unsafe { Layout::from_size_align_unchecked(size, 4096) }
}

/// The system commits no memory to the reserve, since it is never touched, but counts it where a
/// process may have so much address space.
fn fill_reserve() {
    for size in [RESERVE, RESERVE / 4, RESERVE / 16] {
        // SAFETY: the size is not zero.
        let start = unsafe { System.alloc(reserve_layout(size)) };
        if !start.is_null() {
            KEPT_SIZE.store(size, Relaxed);
            KEPT.store(start, Relaxed);
            return;
        }
    }
}

fn free_reserve() {
    let kept = KEPT.swap(null_mut(), Relaxed);
    if !kept.is_null() {
        // SAFETY: `fill_reserve` allocated it with this size, and only one thread can take it.
        unsafe { System.dealloc(kept, reserve_layout(KEPT_SIZE.load(Relaxed))) };
    }
}

/// The limit was not set: the process has another allocator than [`Checked`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotCounted;

/// Opens an account for a run of the calling thread, with a limit of so many bytes besides what is
/// held already. What other threads allocate counts where they [enter](SharedAccount::enter) it.
/// Blocks count where they are freed: one that a thread of another account frees stays counted.
///
/// # Errors
/// There is a limit, and the allocator of the process does not count.
pub fn open_account(limit: Option<usize>) -> Result<AccountInUse, NotCounted> {
    let bytes = limit.map_or(isize::MAX, |bytes| bytes.min(isize::MAX as usize / 2) as isize);
    let account = Arc::new(Account::new(bytes));
    if limit.is_some() {
        LIMITED.fetch_add(1, Relaxed);
    }
    let in_use = SharedAccount(Some(account)).enter();
    if limit.is_some() {
        let probe = std::hint::black_box(vec![0u8; 4096]);
        let counted = self::account().held.load(Relaxed) >= 4096;
        drop(probe);
        if !counted {
            return Err(NotCounted);
        }
    }
    Ok(in_use)
}

impl Drop for Account {
    fn drop(&mut self) {
        self.recover();
        if self.limit != isize::MAX {
            LIMITED.fetch_sub(1, Relaxed);
        }
    }
}

/// The limit, if memory has run out because of it.
pub fn reached_limit() -> Option<usize> {
    let account = account();
    account.limit_reached.load(Relaxed).then_some(account.limit as usize)
}

/// Does what allocates, and can be refused.
#[inline]
pub fn refusable<R>(allocate: impl FnOnce() -> R) -> R {
    let before = REFUSABLE.replace(true);
    let result = allocate();
    REFUSABLE.set(before);
    result
}

/// An allocator with the reserve and the limits of accounts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked<A>(pub A);

// SAFETY: every block is one of the wrapped allocator's.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Checked<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        counted(layout.size(), || unsafe { self.0.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        counted(layout.size(), || unsafe { self.0.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        discount(layout.size());
        // SAFETY: the caller's promise.
        unsafe { self.0.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        let resize = || unsafe { self.0.realloc(block, layout, size) };
        if size <= layout.size() {
            // If the smaller block is refused, too little is counted; that is rare.
            discount(layout.size() - size);
            return counted(0, resize);
        }
        counted(size - layout.size(), resize)
    }
}

/// Allocates so many bytes more by `get`, which gives null if the system refuses them.
#[inline(always)]
fn counted(more: usize, get: impl Fn() -> *mut u8) -> *mut u8 {
    if LIMITED.load(Relaxed) == 0 {
        let block = get();
        if !block.is_null() {
            return block;
        }
    }
    counted_slowly(more, get)
}

/// The same where bytes are counted or the system has refused them. Apart, so that the common case
/// stays in registers.
#[cold]
#[inline(never)]
fn counted_slowly(more: usize, get: impl Fn() -> *mut u8) -> *mut u8 {
    if LIMITED.load(Relaxed) != 0 && !count(more) {
        return refused();
    }
    let block = get();
    if block.is_null() { with_reserve(more, &get) } else { block }
}

#[inline(always)]
fn discount(bytes: usize) {
    if LIMITED.load(Relaxed) != 0 {
        let account = account();
        if account.limit != isize::MAX {
            account.held.fetch_sub(bytes as isize, Relaxed);
        }
    }
}

/// Counts so many bytes more; false, and they are not counted, if that is too much.
#[cold]
#[inline(never)]
fn count(more: usize) -> bool {
    let account = account();
    let limit = account.limit;
    if limit == isize::MAX {
        return true;
    }
    let more = isize::try_from(more).unwrap_or(isize::MAX);
    let held = account.held.fetch_add(more, Relaxed).saturating_add(more);
    if held <= limit {
        return true;
    }
    account.limit_reached.store(true, Relaxed);
    let beyond = (limit / 8).max(MIN_BEYOND as isize);
    let granted = !REFUSABLE.get() && held <= limit.saturating_add(beyond);
    if granted {
        run_out(more as usize);
    } else {
        account.held.fetch_sub(more, Relaxed);
    }
    granted
}

/// The result of a request that is refused for good.
#[cold]
#[inline(never)]
fn refused() -> *mut u8 {
    let last_resort = LAST_RESORT.load(Relaxed);
    if !REFUSABLE.get() && !last_resort.is_null() {
        // SAFETY: only `keep_reserve` sets it, to such a function.
        let last_resort: fn() -> ! = unsafe { std::mem::transmute(last_resort) };
        last_resort();
    }
    null_mut()
}

/// A request that the system has refused, tried again with the reserve freed.
#[cold]
#[inline(never)]
fn with_reserve(more: usize, get: &dyn Fn() -> *mut u8) -> *mut u8 {
    if !REFUSABLE.get() {
        run_out(more);
        free_reserve();
        // Another thread may have freed it just before.
        let block = get();
        if !block.is_null() {
            return block;
        }
    }
    discount(more);
    refused()
}
