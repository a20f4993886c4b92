/** msg */
SIP_HDR_TEST(a)
struct http_s {
  msg_common_t              http_common[1];
  msg_pub_t                *http_next;
  void                     *http_user;
  unsigned                  http_size;
  int                       http_flags;
  msg_error_t              *http_error;
  /**< Request line */
  http_request_t           *http_request;
  http_status_t            *http_status;
  http_accept_t            *http_accept;
  http_unknown_t           *http_unknown;
  http_separator_t         *http_separator;
  http_payload_t           *http_payload;
};
